package js

import "github.com/jsload/jsload/vu/secret"

// openSecrets opens the sources of secrets; nil if there are none. They are asked
// over the proxies and with the certificates of the process, as modules are.
func openSecrets(cfg *Config) (*secret.Store, error) {
	if len(cfg.SecretSources) == 0 {
		return nil, nil
	}
	if cfg.Redactor == nil {
		cfg.Redactor = &secret.Redactor{}
	}
	process, err := sourceConfig(cfg)
	if err != nil {
		return nil, err
	}
	return secret.Open(cfg.SecretSources, secret.Config{
		Dir: cfg.Dir, Vars: cfg.Process, Client: process.Client, UserAgent: cfg.UserAgent, Redactor: cfg.Redactor,
	})
}
