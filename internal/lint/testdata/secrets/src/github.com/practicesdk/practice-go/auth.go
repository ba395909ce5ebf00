package practice

import "github.com/practicesdk/practice-go/models"

var defaultAPIKey = "x" // want `defaultAPIKey is kept as a text: use models.Secret`

type credentials struct {
	ClientID     string
	ClientSecret string     // want `ClientSecret is kept as a text`
	signingKey   []byte     // want `signingKey is kept as a text`
	tokens       [][32]byte // want `tokens is kept as a text`
	byAccount    map[string]string
	passwords    map[string]*string // want `passwords is kept as a text`
	AccessToken  models.Secret
	TokenURL     string
}

func NewClient(apiKey string) credentials {
	token := apiKey
	return credentials{AccessToken: models.Secret{}, ClientID: token}
}
