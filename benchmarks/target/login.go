package target

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/valyala/fasthttp"
)

// password is the one that /login accepts, with any user name.
const password = "secret"

const loginPage = `<!doctype html>
<title>Login</title>
<form action="/login" method="post">
<input name="user" value=""><input name="password" type="password" value=""><input type="submit" value="Log in">
</form>
`

// login answers a form to GET. To POST of user and password, as a form or as
// JSON, it answers a token and sets it as a cookie.
func login(ctx *fasthttp.RequestCtx) {
	if !ctx.IsPost() {
		ctx.SetContentType("text/html; charset=utf-8")
		ctx.SetBodyString(loginPage)
		return
	}
	user, pass := credentials(ctx)
	if user == "" || pass != password {
		refuse(ctx, fasthttp.StatusUnauthorized, "the password is "+password+", with any user")
		return
	}
	token := tokenOf(user)
	ctx.Response.Header.Add("Set-Cookie", "session="+token+"; Path=/; HttpOnly")
	writeJSON(ctx, map[string]string{"user": user, "token": token})
}

func credentials(ctx *fasthttp.RequestCtx) (user, pass string) {
	if !bytes.HasPrefix(ctx.Request.Header.ContentType(), []byte("application/json")) {
		form := ctx.PostArgs()
		return string(form.Peek("user")), string(form.Peek("password"))
	}
	var sent struct{ User, Password string }
	if json.Unmarshal(ctx.Request.Body(), &sent) != nil {
		return "", ""
	}
	return sent.User, sent.Password
}

// private answers who is logged in, by bearer token or cookie, or 401.
func private(ctx *fasthttp.RequestCtx) {
	token, bearer := strings.CutPrefix(string(ctx.Request.Header.Peek("Authorization")), "Bearer ")
	if !bearer {
		token = string(ctx.Request.Header.Cookie("session"))
	}
	user, ok := userOf(token)
	if !ok {
		ctx.Response.Header.Set("WWW-Authenticate", `Bearer realm="jsload target"`)
		refuse(ctx, fasthttp.StatusUnauthorized, "POST user and password to /login first")
		return
	}
	writeJSON(ctx, map[string]string{"user": user})
}

// tokenOf makes a token that the server can check without remembering it. It is
// no protection, only something that a script must carry from one answer to the
// next request.
func tokenOf(user string) string {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte("jsload target:" + user))
	return hex.EncodeToString([]byte(user)) + "." + strconv.FormatUint(sum.Sum64(), 16)
}

func userOf(token string) (string, bool) {
	encoded, _, _ := strings.Cut(token, ".")
	user, err := hex.DecodeString(encoded)
	return string(user), err == nil && len(user) > 0 && tokenOf(string(user)) == token
}
