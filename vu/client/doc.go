// Package client is the HTTP client of one virtual user: cookies, redirects,
// authentication, content codings, retries, connections, and the dialer that all
// protocols of that user share.
//
// The run makes one Network and from it a Client per virtual user. The script
// modules and the native tier call Client.Do; an event loop takes the same steps
// one by one through Client.Begin and Call.Next. Below are proto, the vocabulary,
// internal/h1 and internal/h2, the protocols, and internal/wire under both. The
// package records no metrics and reads no environment.
//
//	network := client.NewNetwork(client.Config{UserAgent: "jsload", MaxRedirects: 10})
//	defer network.Close()
//	c := network.Client(1)
//	defer c.Close()
//	var resp client.Response
//	c.Do(&client.Request{URL: "http://127.0.0.1:8080/"}, &resp)
//	for _, x := range resp.Exchanges {
//		// one sample each: redirects and digest challenges included
//	}
//
// # Failures
//
// Do returns nothing: Response.Err says what went wrong, with the code and the text
// that scripts see. If the address cannot be parsed there is an Err and no
// exchange; every other failure is the Err of the last exchange as well. A body
// that was cut short stays in Response.Body.
//
// # Ownership
//
// A Response owns its header and body. Given to Do again, it is overwritten and
// its buffers are used again: give a new one wherever a script may keep the body.
// A Client keeps neither requests nor responses, but for a small header to compare
// the next one with.
package client
