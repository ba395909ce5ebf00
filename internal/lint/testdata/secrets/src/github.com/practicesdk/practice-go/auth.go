package practice

import "github.com/practicesdk/practice-go/models"

var defaultAPIKey = "x" // want `defaultAPIKey is stored as a string: use models.Secret`

type credentials struct {
	ClientID     string
	ClientSecret string     // want `ClientSecret is kept as a text`
	signingKey   []byte     // want `signingKey is kept as a text`
	tokens       [][32]byte // want `tokens is kept as a text`
	byAccount    map[string]string
	passwords    map[string]*string // want `passwords is kept as a text`
	tokenText    string             // want `tokenText is kept as a text`
	SecretValue  *string            // want `SecretValue is kept as a text`
	tokenBytes   chan []byte        // want `tokenBytes is kept as a text`
	PrivateKey   []byte             // want `PrivateKey is kept as a text`
	passphrase   text               // want `passphrase is kept as a text`
	AccessToken  models.Secret
	TokenURL     string
	tokenType    string
	SecretName   string
	tokenValid   bool
	keys         []string
	nested       list
}

type text string

type list []list

type kept[T text | []byte] struct {
	apiKey T // want `apiKey is kept as a text`
	value  T
}

func NewClient(apiKey string) credentials {
	token := apiKey
	return credentials{AccessToken: models.Secret{}, ClientID: token}
}
