package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// A cache folder holds two kinds of file: sha256-HEX is the content with that
// hash, and url-HEX, named by the hash of an address, holds one line: the hash
// of what was fetched from there, a blank, the address. Content is checked
// against its hash at every use, so a damaged or edited file is noticed.

// offline gives a module kept by an earlier run.
func (s *Source) offline(u string) ([]byte, error) {
	if s.cfg.CacheDir == "" {
		return nil, fmt.Errorf("%s is remote, and there is no cache to take it from offline", u)
	}
	hash, ok := s.recorded(u)
	if !ok {
		return nil, fmt.Errorf("%s is not in the cache: run once without --offline to keep it", u)
	}
	data, err := os.ReadFile(filepath.Join(s.cfg.CacheDir, "sha256-"+hash))
	if err != nil {
		return nil, fmt.Errorf("the cached copy of %s is gone: run once without --offline", u)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != hash {
		return nil, fmt.Errorf("the cached copy of %s does not match its recorded hash %s", u, hash)
	}
	return data, nil
}

// recorded gives the hash of what was last fetched from an address.
func (s *Source) recorded(u string) (hash string, ok bool) {
	if s.cfg.CacheDir == "" {
		return "", false
	}
	record, err := os.ReadFile(s.cacheFile("url-", []byte(u)))
	if err != nil {
		return "", false
	}
	first, _, _ := bytes.Cut(record, []byte(" "))
	return string(first), true
}

// toCache keeps a module. A cache that cannot be written only costs the next
// offline run, so failures are not errors here.
func (s *Source) toCache(u string, data []byte) {
	if s.cfg.CacheDir == "" || os.MkdirAll(s.cfg.CacheDir, 0o755) != nil {
		return
	}
	sum := sha256.Sum256(data)
	hash := hex.EncodeToString(sum[:])
	if before, ok := s.recorded(u); ok && before != hash {
		s.notice(fmt.Sprintf("the remote module %s has changed since it was last fetched (sha256 %.12s, before %.12s)", u, hash, before))
	}
	if writeWhole(filepath.Join(s.cfg.CacheDir, "sha256-"+hash), data) == nil {
		_ = writeWhole(s.cacheFile("url-", []byte(u)), []byte(hash+" "+u+"\n"))
	}
}

func (s *Source) cacheFile(prefix string, key []byte) string {
	sum := sha256.Sum256(key)
	return filepath.Join(s.cfg.CacheDir, prefix+hex.EncodeToString(sum[:]))
}

// writeWhole writes a file so that no other run ever sees half of it.
func writeWhole(name string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
	}
	return err
}
