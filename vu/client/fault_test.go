package client_test

import (
	"testing"

	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/client/clienttest"
	"github.com/jsload/jsload/vu/client/proto/transporttest"
)

func TestFaults(t *testing.T) {
	clienttest.Run(t, func(t *testing.T, config client.Config) clienttest.Target {
		transporttest.CheckLeaks(t)
		n := client.NewNetwork(config)
		c := n.Client(1)
		t.Cleanup(func() {
			c.Close()
			n.Close()
		})
		return clienttest.Target{
			Do: func(req client.Request) *client.Response {
				resp := new(client.Response)
				c.Do(&req, resp)
				return resp
			},
			EndIteration: c.EndIteration,
			Network:      n,
		}
	})
}
