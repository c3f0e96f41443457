package options

import "strings"

// nearest returns the name among names that word was probably meant to be, or
// "" if none is close: equal but for case, or at most a third of it (and three
// letters) away.
func nearest(word string, names []string) string {
	best, bestDistance := "", min(len(word)/3, 3)+1
	for _, name := range names {
		if strings.EqualFold(name, word) {
			return name
		}
		if d := distance(strings.ToLower(word), strings.ToLower(name)); d < bestDistance {
			best, bestDistance = name, d
		}
	}
	return best
}

// didYouMean is the hint that goes with nearest.
func didYouMean(word string, names []string) string {
	if name := nearest(word, names); name != "" {
		return "did you mean " + name + "?"
	}
	return ""
}

// distance counts the letters to insert, delete, replace or swap with their
// neighbour to turn a into b.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	var rows [3][65]int
	before, above, row := rows[0][:], rows[1][:], rows[2][:]
	for j := range len(b) + 1 {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
