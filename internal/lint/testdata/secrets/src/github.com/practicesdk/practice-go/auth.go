package practice

import "github.com/practicesdk/practice-go/models"

var defaultAPIKey = "x" // want `defaultAPIKey is stored as a string: use models.Secret`

type credentials struct {
	ClientID     string
	ClientSecret string     // want `ClientSecret is stored as a string`
	signingKey   []byte     // want `signingKey is stored as a string`
	tokens       [][32]byte // want `tokens is stored as a string`
	byAccount    map[string]string
	passwords    map[string]*string // want `passwords is stored as a string`
	tokenText    string             // want `tokenText is stored as a string`
	SecretValue  *string            // want `SecretValue is stored as a string`
	tokenBytes   chan []byte        // want `tokenBytes is stored as a string`
	PrivateKey   []byte             // want `PrivateKey is stored as a string`
	passphrase   text               // want `passphrase is stored as a string`
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
	apiKey T // want `apiKey is stored as a string`
	value  T
}

func NewClient(apiKey string) credentials {
	token := apiKey
	return credentials{AccessToken: models.Secret{}, ClientID: token}
}
