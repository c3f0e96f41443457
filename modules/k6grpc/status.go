package k6grpc

import (
	"strconv"

	"google.golang.org/grpc/codes"
	health "google.golang.org/grpc/health/grpc_health_v1"
)

// statusCode is the status of a call as scripts have it.
type statusCode uint32

// String returns the name of the status, such as NotFound.
func (s statusCode) String() string { return codes.Code(s).String() }

// servingStatus is what a health check answers.
type servingStatus int32

// String returns the name of the status, such as NOT_SERVING.
func (s servingStatus) String() string {
	if name, ok := health.HealthCheckResponse_ServingStatus_name[int32(s)]; ok {
		return name
	}
	return strconv.Itoa(int(s))
}

// constants are the exports that are values.
var constants = [...]struct {
	name  string
	value any
}{
	{"StatusOK", statusCode(codes.OK)},
	{"StatusCanceled", statusCode(codes.Canceled)},
	{"StatusUnknown", statusCode(codes.Unknown)},
	{"StatusInvalidArgument", statusCode(codes.InvalidArgument)},
	{"StatusDeadlineExceeded", statusCode(codes.DeadlineExceeded)},
	{"StatusNotFound", statusCode(codes.NotFound)},
	{"StatusAlreadyExists", statusCode(codes.AlreadyExists)},
	{"StatusPermissionDenied", statusCode(codes.PermissionDenied)},
	{"StatusResourceExhausted", statusCode(codes.ResourceExhausted)},
	{"StatusFailedPrecondition", statusCode(codes.FailedPrecondition)},
	{"StatusAborted", statusCode(codes.Aborted)},
	{"StatusOutOfRange", statusCode(codes.OutOfRange)},
	{"StatusUnimplemented", statusCode(codes.Unimplemented)},
	{"StatusInternal", statusCode(codes.Internal)},
	{"StatusUnavailable", statusCode(codes.Unavailable)},
	{"StatusDataLoss", statusCode(codes.DataLoss)},
	{"StatusUnauthenticated", statusCode(codes.Unauthenticated)},
	{"HealthCheckUnknown", servingStatus(health.HealthCheckResponse_UNKNOWN)},
	{"HealthCheckServing", servingStatus(health.HealthCheckResponse_SERVING)},
	{"HealthCheckNotServing", servingStatus(health.HealthCheckResponse_NOT_SERVING)},
	// The spelling is the reference tool's.
	{"HealthCheckServiceUnkown", servingStatus(health.HealthCheckResponse_SERVICE_UNKNOWN)},
}
