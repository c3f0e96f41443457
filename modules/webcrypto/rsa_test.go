package webcrypto

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"testing"
)

// TestUnsalted compares signatures without salt with the standard library, which
// verifies any length of salt.
func TestUnsalted(t *testing.T) {
	for _, bits := range []int{1024, 1025, 1031, 2048} {
		priv, err := generateRSA(bits, 65537, entropy{Reader: rand.Reader, fixed: true})
		if err != nil {
			t.Fatal(err)
		}
		k := rsaKeys{"RSA-PSS"}.privateKey("SHA-256", priv, true, []string{"sign"})
		sum := digest("SHA-256", []byte("message"))
		sig, err := signUnsalted(k, sum)
		if err != nil {
			t.Fatal(err)
		}
		if err := rsa.VerifyPSS(&priv.PublicKey, crypto.SHA256, sum, sig, nil); err != nil {
			t.Errorf("%d bits: %v", bits, err)
		}
		if !verifyUnsalted(k, sum, sig) {
			t.Errorf("%d bits: not verified", bits)
		}
	}
}
