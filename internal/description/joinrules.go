package description

import (
	"strconv"

	"go.yaml.in/yaml/v3"
)

func integerRule(n *yaml.Node, name string, value *int) {
	if value != nil {
		set(n, name, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(*value)})
	}
}

func numberRule(n *yaml.Node, name string, value *string) {
	if value != nil {
		set(n, name, &yaml.Node{Kind: yaml.ScalarNode, Value: *value})
	}
}

// defaultRule adds a default in the type of the schema.
func defaultRule(n *yaml.Node, value string) {
	switch {
	case value == "":
	case get(n, "type").Value == "string":
		set(n, "default", value)
	default:
		set(n, "default", &yaml.Node{Kind: yaml.ScalarNode, Value: value})
	}
}
