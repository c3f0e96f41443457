package jslib

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// family is a library with its versions.
type family struct {
	// name is the published one; NAME/FILE is a module of a library with several.
	name string
	// file is the implementation in lib/.
	file     string
	releases []release
	// partial tells that the published module has more, see Module.Partial.
	partial bool
}

// release is a version. Its exports are names, with "=NAME" where lib/ has another
// name for what the version does differently.
type release struct {
	version  string
	commonJS bool
	exports  string
}

const (
	esm      = false
	commonJS = true
)

// module makes the description of a version.
func (f *family) module(r release) *Module {
	m := &Module{Name: f.name, Version: r.version, CommonJS: r.commonJS, Partial: f.partial, file: f.file}
	for field := range strings.FieldsSeq(r.exports) {
		name, from, renamed := strings.Cut(field, "=")
		if !renamed {
			from = name
		}
		m.Exports = append(m.Exports, Export{Name: name, From: from})
	}
	return m
}

// addresses are the files of a version by which scripts import the module.
func (f *family) addresses(base string) []string {
	switch {
	case base != f.name:
		return []string{base}
	case f.name == "aws":
		return []string{"index.js", "aws.js"}
	}
	return []string{"index.js"}
}

// awsVersion takes a version of aws apart.
var awsVersion = regexp.MustCompile(`^0\.(\d+)\.\d+$`)

// awsRanges names the ranges of published versions of aws that a version lies in:
// all sign requests alike, and from 0.9 on clients give promises.
func awsRanges(version string) []string {
	m := awsVersion.FindStringSubmatch(version)
	if m == nil {
		return nil
	}
	switch minor, _ := strconv.Atoi(m[1]); { // too large a number is in no range either
	case version == "0.1.0", minor >= 3 && minor <= 8:
		return []string{"0.1.0-0.13", "0.1.0-0.8"}
	case minor >= 9 && minor <= 13:
		return []string{"0.1.0-0.13", "0.9-0.13"}
	}
	return nil
}

// release finds a version.
func (f *family) release(version string) (release, bool) {
	names := []string{version}
	if f.name == "aws" || strings.HasPrefix(f.name, "aws/") {
		names = append(names, awsRanges(version)...)
	}
	for _, r := range f.releases {
		if slices.Contains(names, r.version) {
			return r, true
		}
	}
	return release{}, false
}

// catalogue lists what is here, module by module and version by version. A version
// that is not listed is fetched like any other module: it may be different.
func catalogue() []family {
	return []family{
		{name: "k6-utils", file: "utils.ts", releases: []release{
			{"1.0.0", esm, utils10},
			{"1.1.0", esm, utils10 + " findBetween=findBetweenOrEmpty"},
			{"1.2.0", esm, utils12},
			{"1.3.0", commonJS, utils12 + stages},
			{"1.4.0", commonJS, utils14},
			{"1.5.0", commonJS, utils14 + " check=checkValue"},
			{"1.6.0", commonJS, utils14 + " check"},
		}},
		{name: "k6-summary", file: "summary.ts", releases: []release{
			{"0.0.1", commonJS, "textSummary=textSummaryUnsorted jUnit humanizeValue"},
			{"0.0.2", commonJS, summary},
			{"0.0.3", commonJS, summary},
			{"0.0.4", commonJS, summary},
			{"0.1.0", commonJS, summary},
		}},
		{name: "k6-reporter", file: "reporter.ts", releases: []release{
			{"2", commonJS, "htmlReport=htmlReport2"},
			{"3", esm, "htmlReport"},
		}},
		{name: "k6-junit", file: "junit.ts", releases: []release{{"1", commonJS, "jUnit=groupJUnit"}}},
		{name: "url", file: "url.ts", releases: []release{{"1.0.0", commonJS, "URL URLSearchParams"}}},
		{name: "formdata", file: "formdata.ts", releases: []release{
			{"0.0.1", commonJS, "FormData"},
			{"0.0.2", commonJS, "FormData"},
		}},
		{name: "form-urlencoded", file: "urlencoded.ts", releases: []release{{"3.0.0", commonJS, "default"}}},
		{name: "httpx", file: "httpx.ts", releases: []release{
			{"0.0.1", esm, "Httpx=Httpx001" + requests},
			{"0.0.2", esm, "Httpx=Httpx001" + requests},
			{"0.0.3", esm, "Httpx=Httpx003" + requests},
			{"0.0.4", esm, "Httpx=Httpx004" + requests},
			{"0.0.5", esm, "Httpx=Httpx004" + requests},
			{"0.0.6", esm, "Httpx=Httpx006" + requests},
			{"0.1.0", esm, "Httpx" + requests + " Head Connect Trace"},
		}},
		{name: "http-instrumentation-tempo", file: "tempo.ts", releases: []release{
			{"1.0.0", commonJS, "default=whole100 Client=Client100 instrumentHTTP=instrumentHTTP100"},
			{"1.0.1", commonJS, "default=whole Client instrumentHTTP"},
		}},
		{name: "http-instrumentation-pyroscope", file: "pyroscope.ts", releases: []release{
			{"1.0.0", commonJS, "default=whole100 Client=Client100 instrumentHTTP=instrumentHTTP100"},
			{"1.0.1", commonJS, "default=whole101 Client=Client101 instrumentHTTP=instrumentHTTP101"},
			{"1.0.2", commonJS, "default=whole Client instrumentHTTP"},
		}},
		{name: "k6chaijs", file: "chai.ts", releases: []release{
			{"4.3.4.0", commonJS, "describe expect=expect4340 chai=chai4340"},
			{"4.3.4.1", commonJS, "describe expect=expect4341 chai=chai4341"},
			{"4.3.4.2", commonJS, "describe expect=expect4341 default=chai4341"},
			{"4.3.4.3", commonJS, "describe expect=expect4343 default=chai4343"},
			{"4.5.0.0", commonJS, "describe expect=expect4343 default=chai4343"},
			{"4.5.0.1", commonJS, "describe expect default=chai"},
		}},
		{name: "k6-testing", file: "testing.ts", releases: []release{
			{"0.1.0", esm, "expect=expect01 colorize"},
			{"0.2.0", esm, "expect=expect02 colorize"},
			{"0.3.0", esm, "expect=expect03 colorize"},
			{"0.4.0", esm, "expect=expect04 colorize"},
			{"0.5.0", esm, "expect=expect05 colorize"},
			{"0.6.0", esm, "expect colorize"},
			{"0.6.1", esm, "expect colorize"},
		}},
		{name: "expect", file: "expect.ts", releases: []release{
			{"0.0.4", esm, "describe=describe004"},
			{"0.0.5", esm, "describe"},
		}},
		{name: "functional", file: "expect.ts", releases: []release{
			{"0.0.2", esm, "test=describe"},
			{"0.0.3", esm, "describe"},
		}},
		{name: "aws/signature.js", file: "aws.ts", releases: []release{
			{"0.1.0-0.13", commonJS, signature},
			{"0.14.0", esm, signature},
		}},
		{name: "aws/s3.js", file: "s3.ts", releases: storageReleases()},
		{name: "aws", file: "s3.ts", releases: storageReleases(), partial: true},
		{name: "totp", file: "totp.ts", releases: []release{{"1.0.0", commonJS, "TOTP"}}},
	}
}

// storageReleases are those of the part of aws that reads and writes S3. The index
// of the library has the clients of other services too, which are fetched.
func storageReleases() []release {
	return []release{
		{"0.1.0-0.8", commonJS, signature + " S3Client=S3ClientSync" + storage},
		{"0.9-0.13", commonJS, signature + " S3Client" + storage},
		{"0.14.0", esm, signature + " S3Client" + storage},
	}
}

// storage is what every version of it has.
const storage = " S3Bucket S3Object S3Part S3MultipartUpload S3ServiceError"

// requests are the classes that every version of httpx has.
const requests = " Get Post Put Patch Delete Options Request"

// summary is what every version of k6-summary has.
const summary = "textSummary jUnit humanizeValue"

// signature is the part of aws that signs requests.
const signature = `AWSConfig Endpoint SignatureV4
	AWSError InvalidAWSConfigError InvalidSignatureError NetworkError GeneralError DNSError TCPError TLSError HTTP2Error
	AMZ_ALGORITHM_QUERY_PARAM AMZ_CREDENTIAL_QUERY_PARAM AMZ_DATE_QUERY_PARAM AMZ_EXPIRES_QUERY_PARAM
	AMZ_SIGNED_HEADERS_QUERY_PARAM AMZ_SIGNATURE_QUERY_PARAM AMZ_TOKEN_QUERY_PARAM
	AMZ_CONTENT_SHA256_HEADER AMZ_DATE_HEADER AUTHORIZATION_HEADER HOST_HEADER
	UNSIGNED_PAYLOAD SIGNING_ALGORITHM_IDENTIFIER`

// What the versions of k6-utils have in common.
const (
	utils10 = "uuidv4=plainUUID randomIntBetween randomItem randomString=randomLetters"
	utils12 = "uuidv4=plainUUID randomIntBetween randomItem randomString findBetween normalDistributionStages"
	stages  = " parseDuration getCurrentStageIndex tagWithCurrentStageIndex tagWithCurrentStageProfile"
	utils14 = "uuidv4 randomIntBetween randomItem randomString findBetween normalDistributionStages" + stages
)
