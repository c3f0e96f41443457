package webcrypto

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
)

// aesKeys makes and reads keys of all AES algorithms.
type aesKeys struct{ name string }

func (a aesKeys) can() []string {
	if a.name == "AES-KW" {
		return []string{"wrapKey", "unwrapKey"}
	}
	return []string{"encrypt", "decrypt", "wrapKey", "unwrapKey"}
}

func (a aesKeys) key(b []byte, extractable bool, usages []string) *key {
	return &key{
		kind: secret, extractable: extractable, usages: only(usages, a.can()...), bytes: b,
		algorithm: keyAlgorithm{name: a.name, length: len(b) * 8},
	}
}

func (a aesKeys) generate(p *params, extractable bool, usages []string) (result, error) {
	if err := allow(usages, a.can()...); err != nil {
		return nil, err
	}
	n, err := a.keyLength(p)
	if err != nil {
		return nil, err
	}
	return a.key(p.entropy.bytes(n/8), extractable, usages), nil
}

func (a aesKeys) keyLength(p *params) (int, error) {
	n := p.number("length", 0)
	if n != 128 && n != 192 && n != 256 {
		return 0, operation("an AES key has 128, 192 or 256 bits")
	}
	return n, nil
}

// jwkName is the value of alg in a JSON Web Key, such as A128GCM.
func (a aesKeys) jwkName(size int) string { return fmt.Sprintf("A%d%s", size*8, a.name[len("AES-"):]) }

func (a aesKeys) importKey(_ *params, in *material, extractable bool, usages []string) (*key, error) {
	if err := allow(usages, a.can()...); err != nil {
		return nil, err
	}
	b, err := in.secretBytes("enc", extractable, usages)
	if err != nil {
		return nil, err
	}
	if n := len(b); n != 16 && n != 24 && n != 32 {
		return nil, badData("an AES key has 128, 192 or 256 bits")
	}
	if err := in.wantAlg(a.jwkName(len(b))); err != nil {
		return nil, err
	}
	return a.key(b, extractable, usages), nil
}

func (a aesKeys) exportKey(format string, k *key) (result, error) {
	return exportSecret(format, k, a.jwkName(len(k.bytes)))
}

// aesCipher is AES-CBC, AES-CTR and AES-GCM.
type aesCipher struct{ aesKeys }

func (a aesCipher) encrypt(k *key, p *params, data []byte) ([]byte, error) {
	return a.run(k, p, data, true)
}

func (a aesCipher) decrypt(k *key, p *params, data []byte) ([]byte, error) {
	return a.run(k, p, data, false)
}

func (a aesCipher) run(k *key, p *params, data []byte, encrypt bool) ([]byte, error) {
	block, err := aes.NewCipher(k.bytes)
	if err != nil {
		return nil, operation("%v", err)
	}
	switch a.name {
	case "AES-CBC":
		return cbc(block, p.bytes["iv"], data, encrypt)
	case "AES-CTR":
		return ctr(block, p.bytes["counter"], p.number("length", 0), data)
	}
	return gcm(block, p, data, encrypt)
}

func cbc(block cipher.Block, iv, data []byte, encrypt bool) ([]byte, error) {
	if len(iv) != aes.BlockSize {
		return nil, operation("iv must have 16 bytes")
	}
	if encrypt {
		pad := aes.BlockSize - len(data)%aes.BlockSize
		out := append(make([]byte, 0, len(data)+pad), data...)
		for range pad {
			out = append(out, byte(pad))
		}
		cipher.NewCBCEncrypter(block, iv).CryptBlocks(out, out)
		return out, nil
	}
	if len(data) == 0 || len(data)%aes.BlockSize != 0 {
		return nil, operation("the data is no whole number of blocks")
	}
	out := make([]byte, len(data))
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(out, data)
	pad := int(out[len(out)-1])
	if pad == 0 || pad > aes.BlockSize {
		return nil, operation("the padding is wrong")
	}
	for _, c := range out[len(out)-pad:] {
		if int(c) != pad {
			return nil, operation("the padding is wrong")
		}
	}
	return out[:len(out)-pad], nil
}

// ctr encrypts or decrypts. Only the last length bits of the counter count: when
// they overflow, the others stay.
func ctr(block cipher.Block, counter []byte, length int, data []byte) ([]byte, error) {
	if len(counter) != aes.BlockSize {
		return nil, operation("counter must have 16 bytes")
	}
	if length < 1 || length > 128 {
		return nil, operation("length must be between 1 and 128")
	}
	period := new(big.Int).Lsh(big.NewInt(1), uint(length))
	blocks := big.NewInt(int64((len(data) + aes.BlockSize - 1) / aes.BlockSize))
	if blocks.Cmp(period) > 0 {
		return nil, operation("there is more data than the counter can count")
	}
	start := new(big.Int).SetBytes(counter)
	low := new(big.Int).Mod(start, period)
	left := new(big.Int).Sub(period, low) // blocks before it overflows
	first := len(data)
	if left.Cmp(blocks) < 0 {
		first = int(left.Int64()) * aes.BlockSize
	}
	out := make([]byte, len(data))
	cipher.NewCTR(block, counter).XORKeyStream(out[:first], data[:first])
	if first < len(data) {
		again := start.Sub(start, low).FillBytes(make([]byte, aes.BlockSize))
		cipher.NewCTR(block, again).XORKeyStream(out[first:], data[first:])
	}
	return out, nil
}

func gcm(block cipher.Block, p *params, data []byte, encrypt bool) ([]byte, error) {
	tag := p.number("tagLength", 128)
	if !slices.Contains([]int{32, 64, 96, 104, 112, 120, 128}, tag) {
		return nil, operation("tagLength must be one of 32, 64, 96, 104, 112, 120 and 128")
	}
	tag /= 8
	iv, more := p.bytes["iv"], p.bytes["additionalData"]
	aead, err := cipher.NewGCMWithNonceSize(block, len(iv))
	if err != nil {
		return nil, operation("iv must not be empty")
	}
	if encrypt {
		out := aead.Seal(nil, iv, data, more)
		return out[:len(data)+tag], nil
	}
	if len(data) < tag {
		return nil, operation("the data is shorter than its tag")
	}
	text, sent := data[:len(data)-tag], data[len(data)-tag:]
	// A tag may be cut short, which the library does not open: what it seals
	// twice is the plain text, and that sealed has the whole tag.
	plain := aead.Seal(nil, iv, text, more)[:len(text)]
	sealed := aead.Seal(nil, iv, plain, more)
	if subtle.ConstantTimeCompare(sealed[len(text):len(text)+tag], sent) != 1 {
		return nil, operation("the data or its tag is wrong")
	}
	return plain, nil
}

// aesWrap is AES-KW, the key wrap of RFC 3394.
type aesWrap struct{ aesKeys }

const wrapIV = 0xA6A6A6A6A6A6A6A6

func (aesWrap) wrap(k *key, data []byte) ([]byte, error) {
	if len(data) < 16 || len(data)%8 != 0 {
		return nil, operation("AES-KW wraps only 16, 24, 32 ... bytes")
	}
	block, err := aes.NewCipher(k.bytes)
	if err != nil {
		return nil, operation("%v", err)
	}
	n := len(data) / 8
	out := make([]byte, 8+len(data))
	copy(out[8:], data)
	var b [16]byte
	a := uint64(wrapIV)
	for j := range 6 {
		for i := 1; i <= n; i++ {
			binary.BigEndian.PutUint64(b[:8], a)
			copy(b[8:], out[8*i:8*i+8])
			block.Encrypt(b[:], b[:])
			a = binary.BigEndian.Uint64(b[:8]) ^ uint64(n*j+i)
			copy(out[8*i:], b[8:])
		}
	}
	binary.BigEndian.PutUint64(out, a)
	return out, nil
}

func (aesWrap) unwrap(k *key, data []byte) ([]byte, error) {
	if len(data) < 24 || len(data)%8 != 0 {
		return nil, operation("the data is no wrapped key")
	}
	block, err := aes.NewCipher(k.bytes)
	if err != nil {
		return nil, operation("%v", err)
	}
	n := len(data)/8 - 1
	out := slices.Clone(data)
	var b [16]byte
	a := binary.BigEndian.Uint64(out)
	for j := 5; j >= 0; j-- {
		for i := n; i >= 1; i-- {
			binary.BigEndian.PutUint64(b[:8], a^uint64(n*j+i))
			copy(b[8:], out[8*i:8*i+8])
			block.Decrypt(b[:], b[:])
			a = binary.BigEndian.Uint64(b[:8])
			copy(out[8*i:], b[8:])
		}
	}
	if a != wrapIV {
		return nil, operation("the wrapped key or the key that unwraps is wrong")
	}
	return out[8:], nil
}
