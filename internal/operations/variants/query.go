package variants

import (
	"math"
	"reflect"
	"strings"
)

// The limits of paging are the same for every list.
const (
	LargestPage   = 500
	LargestOffset = 2147483647
)

func (c *changer) wrongOptions(i int, options reflect.Value) {
	if paging := c.operation.Paging; paging != nil {
		c.option(i, options, paging.Offset, "is negative", -1)
		if tooLarge := int64(LargestOffset) + 1; tooLarge <= math.MaxInt { // a 32-bit int cannot hold it
			c.option(i, options, paging.Offset, "is too large", int(tooLarge))
		}
		c.option(i, options, paging.Limit, "is negative", -1)
		c.option(i, options, paging.Limit, "is too large", LargestPage+1)
		for _, filter := range paging.Since {
			c.option(i, options, filter.Name, "is after the year 9999", afterAll())
		}
	}
	for _, parameter := range c.operation.Query {
		c.option(i, options, parameter.Name, "is after the year 9999", afterAll())
	}
}

func (c *changer) edgeOptions(i int, options reflect.Value) {
	if paging := c.operation.Paging; paging != nil {
		c.option(i, options, paging.Offset, "is the largest", LargestOffset)
		c.option(i, options, paging.Limit, "is the largest", LargestPage)
		c.option(i, options, paging.Limit, "is the smallest", 1)
	}
}

// option changes the field of a query parameter, if its type can hold the
// value, and clears all other fields.
func (c *changer) option(i int, options reflect.Value, name, why string, value any) {
	changed := reflect.New(options.Type()).Elem()
	field := changed.FieldByNameFunc(func(field string) bool { return strings.EqualFold(field, name) })
	if given := reflect.ValueOf(value); name != "" && field.IsValid() && field.Type() == given.Type() {
		field.Set(given)
		c.add(name, why, i, changed.Interface())
	}
}
