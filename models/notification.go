package models

// NotificationSourceAPI is the source of an event that an API client caused.
// For other events the source is the name of the vendor's application.
const NotificationSourceAPI = "API"
