package k6grpc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dop251/goja"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/modules/k6grpc/internal/schema"
)

// client is a Client of a script: the methods it knows, and its connection.
type client struct {
	conv.Own
	*instance
	// sets are what was loaded, the latest last.
	sets []*schema.Set
	// reflected is what the server said in the latest connect.
	reflected *schema.Set

	conn *grpc.ClientConn // nil while not connected
	addr string
	// labels remember the tags of methods.
	labels map[*schema.Method]*labels
}

func (i *instance) clientClass() *conv.Class {
	if i.clients == nil {
		i.clients = conv.NewClass(i.rt, conv.ClassSpec{
			Name:   "Client",
			New:    func(goja.ConstructorCall) goja.DynamicObject { return &client{instance: i} },
			Method: i.clientMethod,
		})
	}
	return i.clients
}

func (i *instance) clientMethod(name string) func(goja.FunctionCall) goja.Value {
	var f func(*client, goja.FunctionCall) goja.Value
	switch name {
	case "load":
		f = (*client).load
	case "loadProtoset":
		f = (*client).loadProtoset
	case "connect":
		f = (*client).connect
	case "invoke":
		f = (*client).invoke
	case "asyncInvoke":
		f = (*client).asyncInvoke
	case "healthCheck":
		f = (*client).healthCheck
	case "close":
		f = (*client).close
	default:
		return nil
	}
	return func(call goja.FunctionCall) goja.Value {
		return f(conv.MustSelf[*client](i.rt, call.This, "Client"), call)
	}
}

// files are what the script may read in its init code.
func (i *instance) files(what string) modules.Files {
	i.host.OnlyInInit(what)
	if i.host.Files == nil {
		conv.Throwf(i.rt, what+": there are no files")
	}
	return i.host.Files()
}

// load is Client.load(importPaths, ...protoFiles): it returns the methods found.
func (c *client) load(call goja.FunctionCall) goja.Value {
	files := c.files("load")
	var importPaths, names []string
	if paths := call.Argument(0); !conv.IsNullish(paths) {
		var err error
		if importPaths, err = c.texts("importPaths", paths); err != nil {
			conv.Throw(c.rt, err)
		}
	}
	for n := range call.Arguments {
		if n == 0 {
			continue
		}
		name, err := text("proto file", call.Argument(n))
		if err != nil {
			conv.Throw(c.rt, err)
		}
		names = append(names, name)
	}
	key := strings.Join([]string{files.Base, strings.Join(importPaths, "\x01"), strings.Join(names, "\x01")}, "\x00")
	return c.learn("proto", key, func() (*schema.Set, error) { return schema.Compile(importPaths, names, files.Open) })
}

// loadProtoset is Client.loadProtoset(path).
func (c *client) loadProtoset(call goja.FunctionCall) goja.Value {
	files := c.files("loadProtoset")
	name, err := text("protoset", call.Argument(0))
	if err != nil {
		conv.Throw(c.rt, err)
	}
	return c.learn("protoset", files.Base+"\x00"+name, func() (*schema.Set, error) {
		data, err := files.Open(name)
		if err != nil {
			return nil, err
		}
		set, err := schema.FromProtoset(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return set, nil
	})
}

// learn adds a set that all virtual users share, made by the first of them.
func (c *client) learn(kind, key string, read func() (*schema.Set, error)) goja.Value {
	set, err := c.shared(kind, key, read)
	if err != nil {
		conv.Throw(c.rt, err)
	}
	c.sets = append(c.sets, set)
	return c.describe(set)
}

func (i *instance) shared(kind, key string, read func() (*schema.Set, error)) (*schema.Set, error) {
	v, err := i.host.Run.Shared.Load("k6grpc\x00"+kind+"\x00"+key, func() (any, error) { return read() })
	if err != nil {
		return nil, err
	}
	return v.(*schema.Set), nil
}

// describe is what load returns.
func (c *client) describe(set *schema.Set) goja.Value {
	list := make([]any, len(set.Methods))
	for n, m := range set.Methods {
		o := c.rt.NewObject()
		_ = o.Set("package", m.Package)
		_ = o.Set("service", m.ShortService())
		_ = o.Set("full_method", m.Path)
		_ = o.Set("name", m.Name)
		_ = o.Set("is_client_stream", m.ClientStream)
		_ = o.Set("is_server_stream", m.ServerStream)
		list[n] = o
	}
	return c.rt.NewArray(list...)
}

// connect is Client.connect(address, params). A connection that the client has
// is replaced.
func (c *client) connect(call goja.FunctionCall) goja.Value {
	c.host.NotInInit("connecting to a gRPC server")
	addr, err := text("address", call.Argument(0))
	if err != nil {
		conv.Throw(c.rt, err)
	}
	p, err := c.parseConnect(call.Argument(1))
	if err != nil {
		conv.Throw(c.rt, err)
	}
	c.disconnect()
	if err := c.dial(addr, p); err != nil {
		if c.host.Context().Err() != nil {
			return goja.Undefined() // the interpreter is being stopped
		}
		conv.Throw(c.rt, fmt.Errorf("connecting to %s: %w", addr, err))
	}
	return c.rt.ToValue(true)
}

func (c *client) dial(addr string, p *connectParams) error {
	ctx, cancel := context.WithTimeout(c.host.Context(), p.timeout)
	defer cancel()
	conn, err := p.dial(ctx, c.host.VU.Client.Dialer(), addr)
	if err != nil {
		return err
	}
	c.conn, c.addr, c.labels = conn, addr, nil
	c.keep(c)
	if !p.reflect {
		return nil
	}
	if err := c.reflect(ctx, p.reflectMetadata); err != nil {
		c.disconnect()
		return fmt.Errorf("reflection: %w", err)
	}
	return nil
}

// reflect asks the server for its methods. Virtual users that get the same
// answer share what is made of it.
func (c *client) reflect(ctx context.Context, md metadata.MD) error {
	if len(md) > 0 {
		ctx = metadata.NewOutgoingContext(ctx, md)
	}
	answer, err := schema.Reflect(ctx, c.conn)
	if err != nil {
		return err
	}
	c.reflected, err = c.shared("reflected", answer.Key(), answer.Set)
	return err
}

// disconnect closes the connection, if there is one.
func (c *client) disconnect() {
	if c.conn == nil {
		return
	}
	delete(c.open, c)
	_ = c.conn.Close() // it only fails when it is closed already
	c.conn, c.reflected = nil, nil
}

// close is Client.close().
func (c *client) close(goja.FunctionCall) goja.Value {
	c.disconnect()
	return goja.Undefined()
}

var errNotConnected = errors.New("no gRPC connection: call connect first")

// method finds the method of a call. It is known before there is a connection.
func (c *client) method(v goja.Value) (*schema.Method, error) {
	path, err := text("method", v)
	if err != nil {
		return nil, err
	}
	if c.conn == nil {
		return nil, errNotConnected
	}
	if c.reflected != nil {
		if m := c.reflected.Method(path); m != nil {
			return m, nil
		}
	}
	for _, set := range slices.Backward(c.sets) {
		if m := set.Method(path); m != nil {
			return m, nil
		}
	}
	return nil, fmt.Errorf("method %q is not known: it is in nothing that was loaded", path)
}
