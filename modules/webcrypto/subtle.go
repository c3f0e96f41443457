package webcrypto

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
)

// subtleObject is the Go side of crypto.subtle.
type subtleObject struct{ conv.Own }

func (i *instance) subtle() *conv.Class {
	if i.subtleClass == nil {
		i.subtleClass = conv.NewClass(i.rt, conv.ClassSpec{Name: "SubtleCrypto", Method: func(name string) func(goja.FunctionCall) goja.Value {
			prepare := i.preparation(name)
			if prepare == nil {
				return nil
			}
			return func(c goja.FunctionCall) goja.Value { return i.promise(c, prepare) }
		}})
	}
	return i.subtleClass
}

// job is an operation whose arguments have been read: it runs without the
// interpreter. A slow one runs on a goroutine of its own.
type job struct {
	run  func() (result, error)
	slow bool
}

// preparation returns the function that reads the arguments of a method.
func (i *instance) preparation(method string) func(*arguments) (job, error) {
	switch method {
	case "digest":
		return prepareDigest
	case "encrypt", "decrypt":
		return func(a *arguments) (job, error) { return prepareCipher(a, method) }
	case "sign":
		return prepareSign
	case "verify":
		return prepareVerify
	case "generateKey":
		return prepareGenerate
	case "importKey":
		return prepareImport
	case "exportKey":
		return prepareExport
	case "deriveBits":
		return prepareDeriveBits
	case "deriveKey":
		return prepareDeriveKey
	case "wrapKey":
		return prepareWrap
	case "unwrapKey":
		return prepareUnwrap
	}
	return nil
}

// promise runs an operation and returns the promise of its result. Whatever is
// wrong, arguments included, rejects it.
func (i *instance) promise(c goja.FunctionCall, prepare func(*arguments) (job, error)) goja.Value {
	p, resolve, reject := i.rt.NewPromise()
	var j job
	var err error
	if ex := i.rt.Try(func() { j, err = prepare(&arguments{i, c.Arguments}) }); ex != nil {
		_ = reject(ex.Value())
		return i.rt.ToValue(p)
	}
	settle := func(r result, err error) error {
		if err != nil {
			return reject(i.exception(err))
		}
		return resolve(i.value(r))
	}
	switch {
	case err != nil:
		_ = settle(nil, err)
	case !j.slow:
		_ = settle(j.run())
	default:
		done := i.host.Loop.Register()
		go func() {
			r, err := j.run()
			done(func() error { return settle(r, err) })
		}()
	}
	return i.rt.ToValue(p)
}

// exception is what a promise is rejected with.
func (i *instance) exception(err error) goja.Value {
	var f *failure
	switch {
	case !errors.As(err, &f):
		return conv.DOMException(i.rt, "OperationError", err.Error())
	case f.name == "TypeError":
		return conv.NewError(i.rt, f.name, f.text)
	}
	return conv.DOMException(i.rt, f.name, f.text)
}

// value is a result as a script sees it.
func (i *instance) value(r result) goja.Value {
	switch x := r.(type) {
	case []byte:
		return i.rt.ToValue(i.rt.NewArrayBuffer(x))
	case bool:
		return i.rt.ToValue(x)
	case *key:
		return i.wrap(x)
	case *pair:
		o := i.rt.NewObject()
		_ = o.Set("publicKey", i.wrap(x.public))
		_ = o.Set("privateKey", i.wrap(x.private))
		return o
	case *jwk:
		return i.jwkObject(x)
	}
	return goja.Undefined()
}

func (i *instance) jwkObject(j *jwk) goja.Value {
	o := i.rt.NewObject()
	_ = o.Set("kty", j.Kty)
	for _, m := range j.texts() {
		if *m.text != "" && m.name != "kty" {
			_ = o.Set(m.name, *m.text)
		}
	}
	items := make([]any, len(j.KeyOps))
	for n, op := range j.KeyOps {
		items[n] = op
	}
	_ = o.Set("key_ops", i.rt.NewArray(items...))
	_ = o.Set("ext", j.Ext != nil && *j.Ext)
	return o
}

type jwkText struct {
	name string
	text *string
}

// texts are the members that are strings.
func (j *jwk) texts() []jwkText {
	return []jwkText{
		{"kty", &j.Kty}, {"use", &j.Use}, {"alg", &j.Alg}, {"crv", &j.Crv}, {"x", &j.X}, {"y", &j.Y}, {"d", &j.D}, {"n", &j.N},
		{"e", &j.E}, {"p", &j.P}, {"q", &j.Q}, {"dp", &j.DP}, {"dq", &j.DQ}, {"qi", &j.QI}, {"k", &j.K},
	}
}

// arguments reads what a method was called with.
type arguments struct {
	inst *instance
	list []goja.Value
}

func (a *arguments) at(n int) goja.Value {
	if n < len(a.list) {
		return a.list[n]
	}
	return goja.Undefined()
}

func (a *arguments) want(n int) error {
	if len(a.list) < n {
		return fail("TypeError", "%d arguments are needed, there are %d", n, len(a.list))
	}
	return nil
}

// data is a copy of the bytes of an argument.
func (a *arguments) data(n int) ([]byte, error) {
	b, ok := conv.Bytes(a.at(n))
	if !ok {
		return nil, fail("TypeError", "argument %d must be an ArrayBuffer or a view of one", n+1)
	}
	return slices.Clone(b), nil
}

func (a *arguments) key(n int) (*key, error) {
	o, ok := conv.Self[*keyObject](a.at(n))
	if !ok {
		return nil, fail("TypeError", "argument %d must be a CryptoKey", n+1)
	}
	return o.key, nil
}

func (a *arguments) format(n int) (string, error) {
	f := a.at(n).String()
	switch f {
	case "raw", "spki", "pkcs8", "jwk":
		return f, nil
	}
	return "", fail("TypeError", "%.40q is no format of keys", f)
}

func (a *arguments) usages(n int) ([]string, error) {
	o, ok := a.at(n).(*goja.Object)
	if !ok {
		return nil, fail("TypeError", "argument %d must be an array of key usages", n+1)
	}
	var usages []string
	var bad error
	a.inst.rt.ForOf(o, func(v goja.Value) bool {
		u := v.String()
		if !slices.Contains(allUsages[:], u) {
			bad = fail("TypeError", "%.40q is no usage of keys", u)
		}
		usages = append(usages, u)
		return bad == nil
	})
	return usages, bad
}

// params reads an algorithm for one of several operations: the first that it
// supports.
func (a *arguments) params(n int, ops ...string) (*params, string, error) {
	for k, op := range ops {
		p, err := a.inst.params(a.at(n), op)
		var f *failure
		if err == nil || k == len(ops)-1 || !errors.As(err, &f) || f.name != "NotSupportedError" {
			return p, op, err
		}
	}
	return nil, "", nil
}

// material reads what a key is to be imported from.
func (a *arguments) material(format string, n int) (*material, error) {
	if format != "jwk" {
		b, err := a.data(n)
		return &material{format: format, bytes: b}, err
	}
	o, ok := a.at(n).(*goja.Object)
	if _, isBytes := conv.Bytes(a.at(n)); !ok || isBytes {
		return nil, fail("TypeError", "a JSON Web Key must be an object")
	}
	j := &jwk{}
	for _, m := range j.texts() {
		if v := o.Get(m.name); v != nil && !goja.IsUndefined(v) {
			*m.text = v.ToString().String()
		}
	}
	if v := o.Get("ext"); v != nil && !goja.IsUndefined(v) {
		ext := v.ToBoolean()
		j.Ext = &ext
	}
	if v, ok := o.Get("key_ops").(*goja.Object); ok {
		j.KeyOps = []string{}
		a.inst.rt.ForOf(v, func(op goja.Value) bool { j.KeyOps = append(j.KeyOps, op.String()); return len(j.KeyOps) < 100 })
	}
	if v := o.Get("oth"); !conv.IsNullish(v) {
		j.Oth = json.RawMessage("[]")
	}
	return &material{format: format, jwk: j}, nil
}

func prepareDigest(a *arguments) (job, error) {
	if err := a.want(2); err != nil {
		return job{}, err
	}
	p, _, err := a.params(0, "digest")
	if err != nil {
		return job{}, err
	}
	data, err := a.data(1)
	return job{run: func() (result, error) { return digest(p.name, data), nil }}, err
}

// common reads the first two arguments of most methods: an algorithm for an
// operation, and a key.
func (a *arguments) common(count int, op string) (p *params, k *key, err error) {
	if err = a.want(count); err != nil {
		return nil, nil, err
	}
	if p, _, err = a.params(0, op); err != nil {
		return nil, nil, err
	}
	k, err = a.key(1)
	return p, k, err
}

func prepareCipher(a *arguments, op string) (job, error) {
	p, k, err := a.common(3, op)
	if err != nil {
		return job{}, err
	}
	data, err := a.data(2)
	return job{run: func() (result, error) {
		if err := k.may(p.name, op); err != nil {
			return nil, err
		}
		return cipherRun(k, p, data, op == "encrypt")
	}}, err
}

func cipherRun(k *key, p *params, data []byte, encrypt bool) ([]byte, error) {
	e, ok := algorithm(p.name).(encrypter)
	if !ok {
		return nil, notSupported("%s does not encrypt", p.name)
	}
	if encrypt {
		return e.encrypt(k, p, data)
	}
	return e.decrypt(k, p, data)
}

func signerOf(p *params, k *key, op string) (signer, error) {
	if err := k.may(p.name, op); err != nil {
		return nil, err
	}
	s, ok := algorithm(p.name).(signer)
	if !ok {
		return nil, notSupported("%s does not sign", p.name)
	}
	return s, nil
}

func prepareSign(a *arguments) (job, error) {
	p, k, err := a.common(3, "sign")
	if err != nil {
		return job{}, err
	}
	data, err := a.data(2)
	return job{run: func() (result, error) {
		s, err := signerOf(p, k, "sign")
		if err != nil {
			return nil, err
		}
		return s.sign(k, p, data)
	}}, err
}

func prepareVerify(a *arguments) (job, error) {
	p, k, err := a.common(4, "verify")
	if err != nil {
		return job{}, err
	}
	signature, err := a.data(2)
	if err != nil {
		return job{}, err
	}
	data, err := a.data(3)
	return job{run: func() (result, error) {
		s, err := signerOf(p, k, "verify")
		if err != nil {
			return nil, err
		}
		return s.verify(k, p, signature, data)
	}}, err
}

func prepareGenerate(a *arguments) (job, error) {
	if err := a.want(3); err != nil {
		return job{}, err
	}
	p, _, err := a.params(0, "generateKey")
	if err != nil {
		return job{}, err
	}
	extractable := a.at(1).ToBoolean()
	usages, err := a.usages(2)
	_, slow := p.bytes["publicExponent"] // RSA: seconds, for a long modulus
	return job{slow: slow, run: func() (result, error) {
		g, ok := algorithm(p.name).(generator)
		if !ok {
			return nil, notSupported("%s generates no keys", p.name)
		}
		r, err := g.generate(p, extractable, usages)
		if err != nil {
			return nil, err
		}
		if k, ok := r.(*key); ok && len(k.usages) == 0 {
			return nil, fail("SyntaxError", "a secret key needs a usage")
		}
		if kp, ok := r.(*pair); ok && len(kp.private.usages) == 0 {
			return nil, fail("SyntaxError", "a private key needs a usage")
		}
		return r, nil
	}}, err
}

func prepareImport(a *arguments) (job, error) {
	if err := a.want(5); err != nil {
		return job{}, err
	}
	format, err := a.format(0)
	if err != nil {
		return job{}, err
	}
	p, _, err := a.params(2, "importKey")
	if err != nil {
		return job{}, err
	}
	extractable := a.at(3).ToBoolean()
	usages, err := a.usages(4)
	if err != nil {
		return job{}, err
	}
	in, err := a.material(format, 1)
	return job{run: func() (result, error) { return importMaterial(p, in, extractable, usages) }}, err
}

func importMaterial(p *params, in *material, extractable bool, usages []string) (*key, error) {
	im, ok := algorithm(p.name).(importer)
	if !ok {
		return nil, notSupported("%s imports no keys", p.name)
	}
	k, err := im.importKey(p, in, extractable, usages)
	if err != nil {
		return nil, err
	}
	if k.kind != public && len(k.usages) == 0 {
		return nil, fail("SyntaxError", "a %s key needs a usage", k.kind)
	}
	return k, nil
}

func prepareExport(a *arguments) (job, error) {
	if err := a.want(2); err != nil {
		return job{}, err
	}
	format, err := a.format(0)
	if err != nil {
		return job{}, err
	}
	k, err := a.key(1)
	return job{run: func() (result, error) { return exportMaterial(format, k) }}, err
}

func exportMaterial(format string, k *key) (result, error) {
	ex, ok := algorithm(k.algorithm.name).(exporter)
	if !ok {
		return nil, notSupported("%s keys cannot be exported", k.algorithm.name)
	}
	if !k.extractable {
		return nil, invalidAccess("the key is not extractable")
	}
	return ex.exportKey(format, k)
}

// slowRounds is the number of rounds of PBKDF2 from which it runs beside the
// script: some milliseconds.
const slowRounds = 5000

func isSlow(p *params, length int) bool { return p.number("iterations", 0)*(1+length/256) > slowRounds }

func prepareDeriveBits(a *arguments) (job, error) {
	p, k, err := a.common(2, "deriveBits")
	if err != nil {
		return job{}, err
	}
	length := -1
	if v := a.at(2); !conv.IsNullish(v) {
		if length, err = enforced("length", v); err != nil {
			return job{}, err
		}
	}
	return job{slow: isSlow(p, length), run: func() (result, error) { return derive(p, k, length, "deriveBits") }}, nil
}

func derive(p *params, k *key, length int, usage string) ([]byte, error) {
	if err := k.may(p.name, usage); err != nil {
		return nil, err
	}
	d, ok := algorithm(p.name).(deriver)
	if !ok {
		return nil, notSupported("%s derives nothing", p.name)
	}
	return d.deriveBits(k, p, length)
}

func prepareDeriveKey(a *arguments) (job, error) {
	p, k, err := a.common(5, "deriveBits")
	if err != nil {
		return job{}, err
	}
	into, _, err := a.params(2, "importKey")
	if err != nil {
		return job{}, err
	}
	lengthOf, _, err := a.params(2, "keyLength")
	if err != nil {
		return job{}, err
	}
	extractable := a.at(3).ToBoolean()
	usages, err := a.usages(4)
	return job{slow: isSlow(p, 512), run: func() (result, error) {
		l, ok := algorithm(lengthOf.name).(lengthener)
		if !ok {
			return nil, notSupported("no %s key can be derived", lengthOf.name)
		}
		length, err := l.keyLength(lengthOf)
		if err != nil {
			return nil, err
		}
		b, err := derive(p, k, length, "deriveKey")
		if err != nil {
			return nil, err
		}
		return importMaterial(into, &material{format: "raw", bytes: b}, extractable, usages)
	}}, err
}

func prepareWrap(a *arguments) (job, error) {
	if err := a.want(4); err != nil {
		return job{}, err
	}
	format, err := a.format(0)
	if err != nil {
		return job{}, err
	}
	k, err := a.key(1)
	if err != nil {
		return job{}, err
	}
	by, err := a.key(2)
	if err != nil {
		return job{}, err
	}
	p, op, err := a.params(3, "wrapKey", "encrypt")
	return job{run: func() (result, error) {
		if err := by.may(p.name, "wrapKey"); err != nil {
			return nil, err
		}
		data, err := wrapped(format, k)
		if err != nil {
			return nil, err
		}
		if op == "encrypt" {
			return cipherRun(by, p, data, true)
		}
		for format == "jwk" && len(data)%8 != 0 {
			data = append(data, ' ') // JSON bears it, and AES-KW needs it
		}
		return algorithm(p.name).(wrapper).wrap(by, data)
	}}, err
}

// wrapped is an exported key as bytes.
func wrapped(format string, k *key) ([]byte, error) {
	r, err := exportMaterial(format, k)
	if err != nil {
		return nil, err
	}
	if b, ok := r.([]byte); ok {
		return b, nil
	}
	return json.Marshal(r)
}

func prepareUnwrap(a *arguments) (job, error) {
	if err := a.want(7); err != nil {
		return job{}, err
	}
	format, err := a.format(0)
	if err != nil {
		return job{}, err
	}
	data, err := a.data(1)
	if err != nil {
		return job{}, err
	}
	by, err := a.key(2)
	if err != nil {
		return job{}, err
	}
	p, op, err := a.params(3, "unwrapKey", "decrypt")
	if err != nil {
		return job{}, err
	}
	into, _, err := a.params(4, "importKey")
	if err != nil {
		return job{}, err
	}
	extractable := a.at(5).ToBoolean()
	usages, err := a.usages(6)
	return job{run: func() (result, error) {
		if err := by.may(p.name, "unwrapKey"); err != nil {
			return nil, err
		}
		var raw []byte
		var err error
		if op == "decrypt" {
			raw, err = cipherRun(by, p, data, false)
		} else {
			raw, err = algorithm(p.name).(wrapper).unwrap(by, data)
		}
		if err != nil {
			return nil, err
		}
		in, err := unwrapped(format, raw)
		if err != nil {
			return nil, err
		}
		return importMaterial(into, in, extractable, usages)
	}}, err
}

// maxWrapped bounds a wrapped JSON Web Key, in bytes.
const maxWrapped = 1 << 20

// unwrapped is what a key is imported from that was wrapped.
func unwrapped(format string, raw []byte) (*material, error) {
	if format != "jwk" {
		return &material{format: format, bytes: raw}, nil
	}
	j := &jwk{}
	if len(raw) > maxWrapped || json.Unmarshal(raw, j) != nil {
		return nil, badData("what was unwrapped is no JSON Web Key")
	}
	return &material{format: format, jwk: j}, nil
}
