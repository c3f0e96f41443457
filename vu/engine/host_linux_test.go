package engine

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// busyLoop makes the test binary burn one CPU until its parent closes its input.
const busyLoop = "JSLOAD_TEST_BUSY_LOOP"

func TestMain(m *testing.M) {
	if os.Getenv(busyLoop) == "" {
		os.Exit(m.Run())
	}
	go func() {
		_, _ = os.Stdin.Read(make([]byte, 1))
		os.Exit(0)
	}()
	for {
		runtime.KeepAlive(m)
	}
}

// Really starved: this process and several busy loops share one CPU.
func TestBusyNeighboursStarveTheGenerator(t *testing.T) {
	cpu := pin(t)
	for range 3 {
		neighbour(t)
	}
	time.Sleep(100 * ms) // they start up
	from := readMeter()
	for end := time.Now().Add(600 * ms); time.Now().Before(end); {
		for work := time.Now().Add(2 * ms); time.Now().Before(work); {
		}
		time.Sleep(time.Millisecond)
	}
	g := readMeter().since(from)
	if limit, why := g.limit(); limit != LimitGenerator || !strings.Contains(why, "starved") {
		t.Errorf("on CPU %d with three busy loops the limit is %s (%s): %+v", cpu, limit, why, g)
	}
	if !g.Host.Known || g.Host.Idle > 0.3 || g.Host.Others < 0.3 {
		t.Errorf("the others' share is not seen: %+v", g.Host)
	}
}

// pin binds all threads to one CPU, until the test ends.
func pin(t *testing.T) int {
	var before, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		t.Skip("the system does not bind threads:", err)
	}
	cpu := 0
	for !before.IsSet(cpu) {
		cpu++
	}
	one.Set(cpu)
	bind(t, &one)
	t.Cleanup(func() { bind(t, &before) })
	return cpu
}

func bind(t *testing.T, set *unix.CPUSet) {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		if id, err := strconv.Atoi(task.Name()); err == nil {
			_ = unix.SchedSetaffinity(id, set) // it may have ended
		}
	}
}

// neighbour starts a busy loop on the CPUs of this process.
func neighbour(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), busyLoop+"=1", "GOMAXPROCS=2")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	})
}
