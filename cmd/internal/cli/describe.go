package cli

// describe returns an error as text for a person.
func describe(err error) string { return err.Error() }
