package script

import (
	"sync"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
)

// Data is what setup returned, as JSON. It is safe for concurrent use. The zero
// value means that setup returned nothing.
type Data struct {
	mu      sync.RWMutex
	json    []byte
	version int
}

// Set replaces the data; nil means none.
func (d *Data) Set(json []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.json = json
	d.version++
}

// JSON returns the data, nil for none.
func (d *Data) JSON() []byte {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.json
}

// value makes the script's value of the data, unless seen is already its
// version (versions count from 1).
func (d *Data) value(vm *goja.Runtime, seen int) (version int, v goja.Value, err error) {
	d.mu.RLock()
	json, version := d.json, d.version+1
	d.mu.RUnlock()
	if version == seen {
		return seen, nil, nil
	}
	if json == nil {
		return version, goja.Undefined(), nil
	}
	v, err = conv.ParseJSON(vm, string(json))
	return version, v, err
}
