//go:build !linux

package target

// startLean refuses: there is no epoll here.
func startLean(Config, *collector) (backend, error) { return nil, ErrLeanUnsupported }
