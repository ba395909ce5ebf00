package practicetest

import "github.com/practicesdk/practice-go/models"

// notifications returns the area of notifications, which the vendor's own
// application shows to staff members.
func notifications() area {
	notice := &resource{
		path: "/notifications/{id}", relation: "Notifications", name: "notification",
		derive: func(r *record) fields {
			return fields{"creationTimestamp": r.created, "isRead": r.fields.is("isRead"), "hasBeenSeen": r.fields.is("hasBeenSeen")}
		},
	}
	return area{name: "Notifications", resources: []*resource{notice}, seed: func(sd *seeder, a *account) {
		sd.add(a, notice, fields{
			"staffId": sd.all(a, "staff")[1].id, "icon": "bell", "iconColor": "#25c9a4", "message": "A **task** is yours.", "toastyIcon": "bell",
			"toastyMessage": "A task is yours", "isRead": false, "hasBeenSeen": true,
		})
	}}
}

// AddNotification adds a notification for a staff member and returns its id.
func (s *Server) AddNotification(notice models.InAppNotificationCreate) string {
	return s.enter("createStaffNotification", &notice)
}

// Notification returns the notification with the id and reports whether it
// exists.
func (s *Server) Notification(id string) (models.InAppNotification, bool) {
	return recordOf[models.InAppNotification](s, "/notifications/{id}", id)
}
