module github.com/practicesdk/practice-go/internal/codec/fuzztest

go 1.26.0

replace github.com/practicesdk/practice-go => ../../..

require (
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3
	github.com/practicesdk/practice-go v0.0.0
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/google/uuid v1.6.0 // indirect
	github.com/govalues/decimal v0.1.36 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)
