package engine

import (
	"fmt"

	"github.com/jsload/jsload/vu"
)

// Needs are what units take of the machine, as far as that can be foreseen.
type Needs struct {
	// UnitBytes is about how much memory a unit takes; zero means 8 KiB.
	UnitBytes int64
	// Connects tells that each unit keeps a connection open.
	Connects bool
	// Addresses is how many local addresses connections are spread over; zero
	// means one.
	Addresses uint64
	// Unchecked starts the test whatever it needs.
	Unchecked bool
}

// capacity is what a machine has; zero members are not known.
type capacity struct {
	memory             uint64 // bytes
	descriptors, ports uint64
}

// defaultUnitBytes is what the smallest unit of a script takes.
const defaultUnitBytes = 8 << 10

// ownDescriptors are those that the process opens for itself: streams, outputs,
// poller, timers, the REST API.
const ownDescriptors = 32

// checkMachine refuses VUs that this machine cannot hold, before any is made.
func (t *test) checkMachine(units int64) error {
	if t.Needs.Unchecked || units <= 0 {
		return nil
	}
	have := capacity{totalMemory(), maxDescriptors(), localPorts()}
	if why := t.Needs.beyond(uint64(units), have); why != "" {
		return &vu.Abort{Code: vu.ExitConfig, Message: why + "; --ignore-machine-limits starts the test all the same"}
	}
	return nil
}

// beyond says what units need that the machine does not have, with both numbers;
// empty if it has enough.
func (n Needs) beyond(units uint64, have capacity) string {
	each := n.UnitBytes
	if each <= 0 {
		each = defaultUnitBytes
	}
	if need := float64(units) * float64(each); have.memory > 0 && need > float64(have.memory) {
		return fmt.Sprintf("%d VUs take at least %.1f GB of memory, this machine has %.1f GB", units, need/1e9, float64(have.memory)/1e9)
	}
	if !n.Connects {
		return ""
	}
	if need := units + ownDescriptors; have.descriptors > 0 && need > have.descriptors {
		return fmt.Sprintf("%d VUs with a connection each need %d file descriptors, this process may open %d (ulimit -n)", units, need, have.descriptors)
	}
	if ports := have.ports * min(max(n.Addresses, 1), 1<<32); ports > 0 && units > ports {
		return fmt.Sprintf("%d VUs with a connection each need as many local ports, and to one server there are %d "+
			"(net.ipv4.ip_local_port_range; --local-ips multiplies them)", units, ports)
	}
	return ""
}
