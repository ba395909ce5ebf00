package practicetest

type Credentials struct{ ClientSecret string }
