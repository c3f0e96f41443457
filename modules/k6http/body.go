package k6http

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/vu/client/proto"
)

// parseBody reads the body of a request: text and bytes as they are, an object
// as a form, an object that holds a file as a multipart form.
func (i *instance) parseBody(r *exchange, v goja.Value) error {
	if s, ok := v.(goja.String); ok {
		r.req.Body = []byte(s.String())
		return nil
	}
	defer func() {
		// An object of no bytes is sent all the same, in chunks.
		r.req.Chunked = r.req.Body != nil && len(r.req.Body) == 0
	}()
	o, ok := v.(*goja.Object)
	if !ok {
		return errUnknownBody
	}
	if b, ok := octets(o); ok {
		r.req.Body = b
		return nil
	}
	if !isForm(o) {
		return errUnknownBody
	}
	if holdsFile(o) {
		return i.multipartBody(r, o)
	}
	i.formBody(r, o)
	return nil
}

// octets returns the bytes of an ArrayBuffer or a Uint8Array.
func octets(o *goja.Object) ([]byte, bool) {
	switch x := o.Export().(type) {
	case goja.ArrayBuffer:
		return x.Bytes(), true
	case []byte:
		return x, true
	}
	return nil, false
}

// isForm reports an object of fields; arrays, dates, typed arrays and functions
// are none.
func isForm(o *goja.Object) bool {
	if _, callable := goja.AssertFunction(o); callable {
		return false
	}
	switch o.ClassName() {
	case "Array", "Date", "Number", "Boolean", "String", "RegExp", "Error", "ArrayBuffer":
		return false
	}
	tag := o.GetSymbol(goja.SymToStringTag)
	return tag == nil || !strings.HasSuffix(tag.String(), "Array")
}

func (i *instance) formBody(r *exchange, o *goja.Object) {
	r.req.Body = []byte(i.formValues(o).Encode())
	setType(r, "application/x-www-form-urlencoded")
}

// formValues are the fields of a form. Arrays make a field of each item.
func (i *instance) formValues(o *goja.Object) url.Values {
	form := url.Values{}
	for _, k := range o.Keys() {
		v := o.Get(k)
		if a, ok := v.(*goja.Object); ok && a.ClassName() == "Array" {
			for n := range int(a.Get("length").ToInteger()) {
				form.Add(k, i.fieldText(k, a.Get(strconv.Itoa(n))))
			}
			continue
		}
		form.Add(k, i.fieldText(k, v))
	}
	return form
}

// fieldText is the text of one form value.
func (i *instance) fieldText(key string, v goja.Value) string {
	if conv.IsNullish(v) {
		return ""
	}
	if _, nested := v.(*goja.Object); nested {
		i.host.Run.Log.Warn(fmt.Sprintf("the form field %q is an object and was sent empty: only texts, numbers and booleans can be sent", key))
		return ""
	}
	return fmt.Sprint(v.Export())
}

// setType sets the Content-Type unless the script did.
func setType(r *exchange, value string) {
	named := slices.ContainsFunc(r.req.Header, func(f proto.Field) bool {
		return textproto.CanonicalMIMEHeaderKey(f.Name) == "Content-Type"
	})
	if !named {
		r.req.Header = append(r.req.Header, proto.Field{Name: "Content-Type", Value: value})
	}
}

func holdsFile(o *goja.Object) bool {
	for _, k := range o.Keys() {
		v := o.Get(k)
		if fileOf(v) != nil {
			return true
		}
		if a, ok := v.(*goja.Object); ok && a.ClassName() == "Array" {
			for n := range int(a.Get("length").ToInteger()) {
				if fileOf(a.Get(strconv.Itoa(n))) != nil {
					return true
				}
			}
		}
	}
	return false
}

// multipartBody writes the fields in the order of the object. A field that is
// neither a file nor a plain value is sent empty.
func (i *instance) multipartBody(r *exchange, o *goja.Object) error {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	if err := w.SetBoundary(i.boundary()); err != nil {
		return err
	}
	for _, k := range o.Keys() {
		v := o.Get(k)
		if f := fileOf(v); f != nil {
			if err := f.writeTo(w, k); err != nil {
				return err
			}
			continue
		}
		if err := w.WriteField(k, i.fieldText(k, v)); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	r.req.Body = b.Bytes()
	setType(r, w.FormDataContentType())
	return nil
}

// boundary is random, but the same for the same seed.
func (i *instance) boundary() string {
	return fmt.Sprintf("%016x%016x%016x", i.host.Rand.Uint64(), i.host.Rand.Uint64(), i.host.Rand.Uint64())
}

// fileData is what http.file makes: one part of a multipart form.
type fileData struct {
	rt                *goja.Runtime
	content           []byte
	data              goja.Value
	name, contentType string
}

var fileKeys = []string{"data", "filename", "content_type"}

// file is http.file(data, filename, contentType).
func (i *instance) file(c goja.FunctionCall) goja.Value {
	content, ok := conv.StringOrBytes(c.Argument(0))
	if !ok {
		conv.Throwf(i.rt, "http.file needs a string, an ArrayBuffer or a typed array")
	}
	f := &fileData{rt: i.rt, content: content, data: c.Argument(0), name: conv.OptionalString(c.Argument(1)), contentType: conv.OptionalString(c.Argument(2))}
	if f.name == "" {
		f.name = strconv.FormatInt(time.Now().UnixNano(), 10)
	}
	if f.contentType == "" {
		f.contentType = "application/octet-stream"
	}
	return i.rt.NewDynamicObject(f)
}

func fileOf(v goja.Value) *fileData {
	o, ok := v.(*goja.Object)
	if !ok {
		return nil
	}
	f, _ := o.Export().(*fileData)
	return f
}

var quoteEscaper = strings.NewReplacer("\\", "\\\\", `"`, "\\\"")

func (f *fileData) writeTo(w *multipart.Writer, field string) error {
	h := textproto.MIMEHeader{}
	h.Set("Content-Disposition", fmt.Sprintf(`form-data; name="%s"; filename="%s"`, quoteEscaper.Replace(field), quoteEscaper.Replace(f.name)))
	h.Set("Content-Type", f.contentType)
	part, err := w.CreatePart(h)
	if err != nil {
		return err
	}
	_, err = part.Write(f.content)
	return err
}

// Get returns a member.
func (f *fileData) Get(key string) goja.Value {
	switch key {
	case "data":
		return f.data
	case "filename":
		return f.rt.ToValue(f.name)
	case "content_type":
		return f.rt.ToValue(f.contentType)
	}
	return nil
}

// Set refuses.
func (f *fileData) Set(string, goja.Value) bool { return false }

// Has reports whether there is a member of that name.
func (f *fileData) Has(key string) bool { return slices.Contains(fileKeys, key) }

// Delete refuses.
func (f *fileData) Delete(string) bool { return false }

// Keys lists the members.
func (f *fileData) Keys() []string { return fileKeys }
