package models

type Secret struct{ text *string }
