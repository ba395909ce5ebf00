package models

// PolicyOperation says what a rule is about. The set is open: unknown values are kept as they came.
// Specification, Authorization policy.
type PolicyOperation string

// The known operations of a rule. Specification, Authorization policy.
const (
	PolicyOperationAccess  PolicyOperation = "Access"  // the operation that the specification shows
	PolicyOperationExecute PolicyOperation = "Execute" // published interface, not in the specification
)

// PolicyRuleType is the kind of a rule as the service numbers it. The specification leaves its values and their
// meaning open: 0 is probably Deny and 1 probably Allow. Taking one for the other is a security fault, so make
// sure before deciding anything by it. Specification, Authorization policy.
type PolicyRuleType int

// Policy says who may do what: either for one principal or for one resource. Specification, Authorization policy.
type Policy struct {
	Hypermedia
	// ID identifies the policy, a UUID. Empty when absent. Specification, Authorization policy.
	ID string `json:"id"`
	// Reference is the UUID under which the policy is asked for. Empty when absent.
	// Specification, Authorization policy.
	Reference string `json:"reference"`
	// PrincipalID is the UUID of a user or group. Empty in a policy for a resource.
	// Specification, Authorization policy.
	PrincipalID string `json:"principalId"`
	// ResourceID identifies the resource. Empty in a policy for a principal. Specification, Authorization policy.
	ResourceID string `json:"resourceId"`
	// Rules holds the rules of the policy. Empty when absent. Specification, Authorization policy.
	Rules []PolicyRule `json:"rules"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// PolicyRule is one rule of a policy. Specification, Authorization policy.
type PolicyRule struct {
	// PrincipalID is the UUID of the user or group the rule is about. May be empty.
	// Specification, Authorization policy.
	PrincipalID string `json:"principalId"`
	// ResourceID is the path of the resource the rule is about, as matters/<matter id>. May be empty.
	// Specification, Authorization policy.
	ResourceID string `json:"resourceId"`
	// Operation says what the rule is about. Empty when absent. Specification, Authorization policy.
	Operation PolicyOperation `json:"operation"`
	// Type is the kind of the rule; see PolicyRuleType for what the numbers probably mean. May be absent.
	// Specification, Authorization policy.
	Type Opt[PolicyRuleType] `json:"type"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}
