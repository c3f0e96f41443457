package cli

import (
	"fmt"

	"github.com/jsload/jsload/cmd/internal/api"
	"github.com/jsload/jsload/vu"
)

// serve starts the REST API if an address was given. An address that cannot be
// listened on ends the run if a flag gave it; a variable may be there for other
// reasons, so it only warns.
func (s *session) serve() (stop func(), err error) {
	g, log := &s.app.global, s.app.logger()
	if g.address == "" {
		if s.test.Options.Paused.V {
			log.Warn("the test starts paused, and without --address nothing but a signal reaches it")
		}
		return func() {}, nil
	}
	listener, err := api.Listen(g.address)
	if err != nil {
		err = fmt.Errorf("the REST API cannot listen: %w", err)
		if g.addressGiven {
			return nil, &codedError{error: err, code: vu.ExitAPIBind}
		}
		log.Warn(err.Error())
		return func() {}, nil
	}
	if api.Public(listener) {
		log.Warn("the REST API can be reached from other machines, and whoever reaches it steers this test", "address", listener.Addr().String())
	}
	server := api.Serve(listener, api.Config{
		Live: s.live, Store: s.store, Profiling: g.profiling, Log: log,
		SetupData: s.test.SetupData, SetSetupData: s.test.SetSetupData,
	})
	log.Debug("the REST API listens", "address", listener.Addr().String())
	return server.Close, nil
}
