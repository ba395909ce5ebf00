package models

// MatterStatus is the state of a matter. The set is open: the specification shows only one value.
// Specification, Notification body.
type MatterStatus string

// MatterStatusOpen is the state of a matter in work. Specification, Notification body.
const MatterStatusOpen MatterStatus = "Open"

// MatterPayload is the payload of matter.updated. Specification, Notification body.
type MatterPayload struct {
	// ID identifies the matter, a UUID. Empty when absent. Specification, Notification body.
	ID string `json:"id"`
	// ExternalSystemID identifies the matter in another system. Often empty. Specification, Notification body.
	ExternalSystemID string `json:"externalSystemId"`
	// Number is the number of the matter. Empty when absent. Specification, Notification body.
	Number string `json:"number"`
	// Title is the title of the matter. Empty when absent. Specification, Notification body.
	Title string `json:"title"`
	// MatterType links to the type; its identifier is not a UUID. The zero Link when absent.
	// Specification, Notification body.
	MatterType Link `json:"matterType"`
	// Clients links to the contacts who are clients. Empty when absent. Specification, Notification body.
	Clients []Link `json:"clients"`
	// Description holds details. Empty when absent. Specification, Notification body.
	Description string `json:"description"`
	// Status is the state of the matter. Empty when absent. Specification, Notification body.
	Status MatterStatus `json:"status"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// ErrorPayload is the payload of error: a write that was accepted has failed later.
// Specification, Notification body.
type ErrorPayload struct {
	// Message says what failed. Empty when absent. Specification, Notification body.
	Message string `json:"message"`
	// ResourceName is the kind of record that was written, for example contact. Empty when absent.
	// Specification, Notification body.
	ResourceName string `json:"resourceName"`
	// ResourceID identifies the record that was written. Empty when absent. Specification, Notification body.
	ResourceID string `json:"resourceId"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}
