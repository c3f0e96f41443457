package metrics

import (
	"math/bits"
	"strings"
)

// SystemTags is a set of the tags that the tool itself puts on samples. The
// zero value is the empty set.
type SystemTags uint32

// The system tags.
const (
	TagProto SystemTags = 1 << iota
	TagSubproto
	TagStatus
	TagMethod
	TagURL
	TagName
	TagGroup
	TagCheck
	TagError
	TagErrorCode
	TagTLSVersion
	TagScenario
	TagService
	TagExpectedResponse
	TagIter
	TagVU
	TagOCSPStatus
	TagIP
)

// DefaultSystemTags are on unless options say otherwise.
const DefaultSystemTags = TagProto | TagSubproto | TagStatus | TagMethod | TagURL | TagName | TagGroup |
	TagCheck | TagError | TagErrorCode | TagTLSVersion | TagScenario | TagService | TagExpectedResponse

// MetadataSystemTags are written as metadata of a sample, never as its tags:
// they would make a series of every value.
const MetadataSystemTags = TagIter | TagVU

// systemTagNames lists the names in the order of the constants.
const systemTagNames = "proto subproto status method url name group check error error_code tls_version " +
	"scenario service expected_response iter vu ocsp_status ip"

// ParseSystemTags returns the set of the named tags. Unknown names are ignored.
// No name at all gives the empty set; what an empty list in options means is
// for the options to say.
func ParseSystemTags(names []string) SystemTags {
	var set SystemTags
	for _, name := range names {
		bit := SystemTags(1)
		for known := range strings.FieldsSeq(systemTagNames) {
			if known == name {
				set |= bit
			}
			bit <<= 1
		}
	}
	return set
}

// Has tells whether all tags of t are in s.
func (s SystemTags) Has(t SystemTags) bool { return s&t == t }

// Names returns the names of the set's tags in the order of the constants.
func (s SystemTags) Names() []string {
	names := make([]string, 0, bits.OnesCount32(uint32(s)))
	bit := SystemTags(1)
	for name := range strings.FieldsSeq(systemTagNames) {
		if s.Has(bit) {
			names = append(names, name)
		}
		bit <<= 1
	}
	return names
}

// String returns the names joined by commas.
func (s SystemTags) String() string { return strings.Join(s.Names(), ",") }
