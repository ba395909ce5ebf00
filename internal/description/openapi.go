package description

import "go.yaml.in/yaml/v3"

// The types of this file are the parts of OpenAPI 3.0.3 that the document has,
// with its extensions, in the order in which they are written.

type openAPI struct {
	OpenAPI    string
	Info       apiInfo
	Servers    []apiServer
	Security   []map[string][]string
	Tags       []apiTag
	Paths      named[named[*apiOperation]]
	Components apiComponents
}

type apiInfo struct{ Title, Version, Description string }

type apiServer struct {
	URL         string
	Description string                       `yaml:",omitempty"`
	Variables   map[string]map[string]string `yaml:",omitempty"`
}

type apiTag struct{ Name, Description string }

type apiComponents struct {
	SecuritySchemes named[map[string]string] `yaml:"securitySchemes"`
	Parameters      named[*apiParameter]
	Responses       named[*apiResponse]
	Schemas         named[*apiSchema]
}

type apiOperation struct {
	OperationID string   `yaml:"operationId"`
	Tags        []string `yaml:",omitempty"`
	Summary     string
	Description string  `yaml:",omitempty"`
	Deprecated  bool    `yaml:",omitempty"`
	Security    *[]bool `yaml:",omitempty"` // of none
	Parameters  []*apiParameter
	RequestBody *apiBody `yaml:"requestBody,omitempty"`
	Responses   named[*apiResponse]
	Callbacks   named[named[named[*apiOperation]]] `yaml:",omitempty"`
	Area        string                             `yaml:"x-area,omitempty"`
	Method      string                             `yaml:"x-method,omitempty"`
	Class       string                             `yaml:"x-class,omitempty"`
	Scope       string                             `yaml:"x-scope,omitempty"`
	Grant       *apiGrant                          `yaml:"x-grant,omitempty"`
	Events      []string                           `yaml:"x-webhook-events,omitempty"`
	Copied      string                             `yaml:"x-copied-as,omitempty"`
	NotCopied   string                             `yaml:"x-not-copied,omitempty"`
	Async       bool                               `yaml:"x-async,omitempty"`
	Replaces    bool                               `yaml:"x-replaces,omitempty"`
	Money       bool                               `yaml:"x-money,omitempty"`
	Late        bool                               `yaml:"x-late,omitempty"`
	Unlisted    bool                               `yaml:"x-unlisted,omitempty"`
}

type apiGrant struct {
	Needs     string
	Refusal   int
	Parameter string `yaml:",omitempty"`
	Value     string `yaml:",omitempty"`
}

type apiParameter struct {
	Ref         string     `yaml:"$ref,omitempty"`
	Name        string     `yaml:",omitempty"`
	In          string     `yaml:",omitempty"`
	Required    bool       `yaml:",omitempty"`
	Description string     `yaml:",omitempty"`
	Schema      *apiSchema `yaml:",omitempty"`
	Deprecated  bool       `yaml:",omitempty"`
}

type apiBody struct {
	Required bool
	Content  named[apiMedia]
}

type apiMedia struct{ Schema *apiSchema }

type apiResponse struct {
	Ref         string              `yaml:"$ref,omitempty"`
	Description string              `yaml:",omitempty"`
	Headers     map[string]apiMedia `yaml:",omitempty"`
	Content     named[apiMedia]     `yaml:",omitempty"`
}

type apiSchema struct {
	Ref                  string            `yaml:"$ref,omitempty"`
	AnyOf                []*apiSchema      `yaml:"anyOf,omitempty"`
	Type                 string            `yaml:",omitempty"`
	Format               string            `yaml:",omitempty"`
	Items                *apiSchema        `yaml:",omitempty"`
	MaxItems             *int              `yaml:"maxItems,omitempty"`
	Pattern              string            `yaml:",omitempty"`
	MinLength            *int              `yaml:"minLength,omitempty"`
	MaxLength            *int              `yaml:"maxLength,omitempty"`
	Minimum              literal           `yaml:",omitempty"`
	Maximum              literal           `yaml:",omitempty"`
	Default              any               `yaml:",omitempty"`
	Values               any               `yaml:"x-values,omitempty"`
	Enum                 []any             `yaml:",omitempty"`
	EnumName             string            `yaml:"x-enum,omitempty"`
	Description          string            `yaml:",omitempty"`
	AdditionalProperties any               `yaml:"additionalProperties,omitempty"`
	Nullable             bool              `yaml:",omitempty"`
	Deprecated           bool              `yaml:",omitempty"`
	ReadOnly             bool              `yaml:"readOnly,omitempty"`
	Secret               bool              `yaml:"x-secret,omitempty"`
	Personal             bool              `yaml:"x-personal,omitempty"`
	FreeText             bool              `yaml:"x-free-text,omitempty"`
	LiteralPrefix        bool              `yaml:"x-literal-prefix,omitempty"`
	Unit                 string            `yaml:"x-unit,omitempty"`
	Target               string            `yaml:"x-target,omitempty"`
	Deletes              string            `yaml:"x-deletes,omitempty"`
	Required             []string          `yaml:",omitempty"`
	Properties           named[*apiSchema] `yaml:",omitempty"`
	// Always lists the members of an object that always have a value: those that
	// identify a record, and those for paging. They are not required, because
	// some recorded responses lack them.
	Always  []string `yaml:"x-always,omitempty"`
	Regions []string `yaml:"x-regions,omitempty"`
	Rules   []string `yaml:"x-rules,omitempty"`
}

// named is a mapping in the order of its entries.
type named[T any] []struct {
	name  string
	value T
}

func (n *named[T]) add(name string, value T) {
	*n = append(*n, struct {
		name  string
		value T
	}{name, value})
}

// MarshalYAML returns the mapping. A name is quoted if YAML would read it as
// another type.
func (n named[T]) MarshalYAML() (any, error) {
	mapping := &yaml.Node{Kind: yaml.MappingNode}
	for _, e := range n {
		var name, value yaml.Node
		name.SetString(e.name)
		if err := value.Encode(e.value); err != nil {
			return nil, err
		}
		mapping.Content = append(mapping.Content, &name, &value)
	}
	return mapping, nil
}

// literal is a number with the digits that the description has.
type literal string

// MarshalYAML returns the number.
func (l literal) MarshalYAML() (any, error) {
	return &yaml.Node{Kind: yaml.ScalarNode, Value: string(l)}, nil
}
