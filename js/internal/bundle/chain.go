package bundle

import (
	"slices"
	"strings"
)

// Chain tells by which imports a file came into the bundle: the files from the
// one that imports it to main. It is empty for main itself and for files that the
// bundle does not have.
func (b *Bundle) Chain(main, file string) []string {
	parents := map[string]string{main: ""}
	for queue := []string{main}; len(queue) > 0; queue = queue[1:] {
		i, ok := slices.BinarySearchFunc(b.Inputs, queue[0], func(in Input, u string) int { return strings.Compare(in.URL, u) })
		if !ok {
			continue
		}
		for _, spec := range sortedKeys(b.Inputs[i].Imports) {
			target := b.Inputs[i].Imports[spec]
			if _, seen := parents[target]; !seen {
				parents[target] = queue[0]
				queue = append(queue, target)
			}
		}
	}
	var chain []string
	for at := parents[file]; at != ""; at = parents[at] {
		chain = append(chain, at)
	}
	return chain
}
