package practicetest

import "encoding/json"

// activityCodes returns the area of activity codes, which hold defaults for
// fees and expenses.
func activityCodes() area {
	codes := &resource{path: "/activitycodes/{id}", relation: "ActivityCodes", event: "activitycode"}
	return area{name: "ActivityCodes", resources: []*resource{codes}, seed: func(sd *seeder, a *account) {
		for i, code := range []string{"REV", "TEL", "APP", "PRT"} {
			sd.add(a, codes, fields{
				"code": code, "description": []string{"Review", "Telephone call", "Appearance", "Printing"}[i],
				"type": []int{1, 1, 0, 2}[i], "isBillable": true, "quantity": json.Number("0.60"),
			})
		}
	}}
}
