package models

// NotificationSourceAPI is the source of an event that a client of the
// interface caused; any other source is the name of the vendor's own
// application.
const NotificationSourceAPI = "API"
