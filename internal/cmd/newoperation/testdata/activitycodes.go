package practice

// ActivityCodesService is here, so the area is not new.
type ActivityCodesService struct{}
