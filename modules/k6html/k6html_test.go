package k6html_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jsload/jsload/modules/k6html"
	"github.com/jsload/jsload/modules/moduletest"
)

const page = `<!doctype html><html lang="en"><head><title> A page </title><base href="/b/"></head><body>
<div id="main" class="big red" data-num="12" data-price="1.50" data-flag="false" data-none="null" data-list="[1,2" data-long-name='{"a":1}'>
<p class="a">one <b>two</b></p><p>three</p><!-- note --><p class="a c">four</p></div>
<form id="f" method="post" action="/send?x=1#y" enctype="multipart/form-data"><fieldset disabled><legend>L</legend><label for="i1">user</label>
<input id="i1" name="user" value="ann" list="dl" maxlength="8"><input type="checkbox" name="c" checked><input type="radio" name="r"></fieldset>
<label>in<input name="q" type="SEARCH" disabled></label>
<select name="s"><option>first </option><option value="2" label="two">second</option></select>
<select name="m" multiple><option selected>x</option><option>y</option><option selected>z</option></select>
<select name="none"></select><textarea name="t">
text</textarea><input name=""><input type="file" name="up"><button name="b" value="v">B</button><input type="submit" name="go" value="Go"></form>
<datalist id="dl"><option value="o1"></datalist>
<a href="https://u:p@other.test:8443/p%20q/r?s=1#t" rel="next no" hreflang="de">link</a><a name="here">here</a>
<table><caption>cap</caption><tfoot><tr><td>foot</td></tr></tfoot><tr><td>a</td><th colspan="2">b</th></tr><tr><td>c</td></tr></table>
<svg viewBox="0 0 1 1"></svg><img src="i.png" width="10" height="x" usemap="#mp"><map name="mp"><area href="x"></map>
<progress value="3" max="4"></progress><meter value=".5"></meter><ol start="3"><li value="7">l</li></ol></body></html>`

func bench(t *testing.T) *moduletest.Bench {
	t.Helper()
	b := moduletest.New(t, k6html.New(), moduletest.Config{})
	_ = b.Host.Runtime.Set("page", page)
	b.Text("d = m.parseHTML(page)")
	return b
}

func TestSelection(t *testing.T) {
	b := bench(t)
	for _, tc := range []struct{ snippet, want string }{
		{`d.find('p').size()`, "3"},
		{`d.find('p').length`, "undefined"},
		{`d.find('p').text()`, "one twothreefour"},
		{`d.find('p').html()`, "one <b>two</b>"},
		{`d.find('nope').html() + d.find('nope').text()`, ""},
		{`d.find('p').attr('class')`, "a"},
		{`d.find('p').eq(1).attr('class')`, "undefined"},
		{`d.find('p').eq(1).attr('class', 'none')`, "none"},
		{`d.find('p').eq(-1).text()`, "four"},
		{`d.find('p').eq(7).size()`, "0"},
		{`d.find('p').first().text() + d.find('p').last().text()`, "one twofour"},
		{`d.find('p').slice(1).size() + ' ' + d.find('p').slice(0, 1).text()`, "2 one two"},
		{`d.find('p').slice(-2, -1).text() + d.find('p').slice(2, 1).size() + d.find('p').slice(-9, 99).size()`, "three03"},
		{`d.find('p').get().length + ' ' + d.find('p').get(1).textContent() + ' ' + d.find('p').get(-1).textContent()`, "3 three four"},
		{`d.find('p').get(3)`, "undefined"},
		{`d.find('p').toArray().map((p) => p.text()).join()`, "one two,three,four"},
		{`d.find('p').map((i, p) => i + p.text()).join()`, "0one two,1three,2four"},
		{`let s = ''; d.find('p').each((i, p) => { s += i + p.nodeName() }).size() + s`, "30p1p2p"},
		{`d.find('p').is('.c') + ' ' + d.find('p').is('b')`, "true false"},
		{`d.find('p').is(d.find('.c')) + ' ' + d.find('p').is(d.find('b').get(0))`, "true false"},
		{`d.find('p').is((i, p) => p.text() === 'three')`, "true"},
		{`d.find('p').filter('.a').size() + ' ' + d.find('p').filter(d.find('.c')).text()`, "2 four"},
		{`d.find('p').filter((i, p) => p.text().length > 4).size()`, "2"},
		// In a predicate attr gives a pair, which scripts have come to rely on.
		{`d.find('p').filter((i, p) => p.attr('class')[1]).size()`, "2"},
		{`d.find('p').not('.a').text() + d.find('p').not((i) => i < 2).text() + d.find('p').not(d.find('p').get(0)).size()`, "threefour2"},
		{`d.find('p').has('b').text() + d.find('p').has(d.find('b')).size()`, "one two1"},
		{`d.find('b').parent().attr('class') + d.find('b').closest('div').attr('id') + d.find('b').closest(d.find('p')).size()`, "amain1"},
		{`d.find('b').parents().size() + ' ' + d.find('b').parents('div').size()`, "4 1"},
		{`d.find('b').parentsUntil('body').size() + ' ' + d.find('b').parentsUntil(d.find('div')).size() + ' ' + d.find('b').parentsUntil('body', 'div').size()`, "2 1 1"},
		{`d.find('b').parentsUntil().size()`, "4"},
		{`d.find('#main').children().size() + ' ' + d.find('#main').children('.c').text() + ' ' + d.find('p').contents().size()`, "3 four 4"},
		{`d.find('p').first().next().text() + d.find('p').first().next('.c').size() + d.find('p').first().nextAll().size() + d.find('p').first().nextAll('.c').size()`, "three021"},
		{`d.find('p').last().prev().text() + d.find('p').last().prevAll().size() + d.find('p').last().prevUntil('.a').text() + d.find('p').first().nextUntil('.c').text()`, "three2threethree"},
		{`d.find('p').eq(1).siblings().size() + ' ' + d.find('p').eq(1).siblings('.c').text()`, "2 four"},
		{`d.find('p').find('b').end().size() + ' ' + d.end().size()`, "3 0"},
		{`d.find('p').add('b').size() + ' ' + d.find('p').add(d.find('b')).size() + ' ' + d.find('p').add(d.find('b').get(0)).size()`, "4 4 4"},
		{`d.find('p').index() + ' ' + d.find('.c').index() + ' ' + d.find('.c').index('p') + ' ' + d.find('p').index(d.find('.c'))  + ' ' + d.find('p').index(d.find('b').get(0))`, "0 2 2 2 -1"},
		{`d.single('p').text() + d.find('#main').find(d.find('b')).text()`, "one twotwo"},
		{`d.find('p:selected').size() + ' ' + d.find('[[').size() + ' ' + d.find('').size()`, "0 0 0"},
		{`JSON.stringify(d) + Object.keys(d).length + typeof d.find + ('find' in d)`, "{}0functiontrue"},
		{`const f = d.find('#main').data(); Object.keys(f).join() + typeof f.num + f.price + f.flag + f.none + f.list + f.longName.a`, "num,price,flag,none,list,longNamenumber1.50falsenull[1,21"},
		{`d.find('#main').data('longName').a + ' ' + d.find('#main').data('long-name').a + d.find('#main').data('x') + d.find('x').data() + d.find('x').data('y')`, "1 1undefinedundefinedundefined"},
		{`m.parseHTML('').find('body').size() + m.parseHTML(null).text() + m.parseHTML(new Uint8Array([60, 98, 62, 120]).buffer).find('b').text()`, "1nullx"},
	} {
		b.Want(returned(tc.snippet), tc.want)
	}
}

// returned makes the last statement of a snippet its result.
func returned(snippet string) string {
	i := strings.LastIndex(snippet, "; ") + 1
	if strings.Contains(snippet[i:], "}") && !strings.Contains(snippet[i:], "{") {
		i = 0
	}
	return snippet[:i] + " return " + snippet[i:]
}

func TestForms(t *testing.T) {
	b := bench(t)
	for _, tc := range []struct{ snippet, want string }{
		{`d.find('form').serialize()`, "m=x&m=z&q=&s=first&t=text&user=ann"},
		{`JSON.stringify(d.find('form').serializeArray().map((f) => [f.name, f.value]))`, `[["user","ann"],["q",""],["s","first"],["m",["x","z"]],["none",null],["t","text"]]`},
		{`JSON.stringify(d.find('form').serializeObject())`, `{"user":"ann","q":"","s":"first","m":["x","z"],"t":"text"}`},
		{`d.find('input[name=user]').serialize() + d.find('p').serialize()`, "user=ann"},
		{`d.find('[name=c]').val() + d.find('[name=q]').val() + d.find('button').val() + d.find('option').val() + d.find('[name=s]').val()`, "onvfirstfirst"},
		{`JSON.stringify([d.find('[name=m]').val(), d.find('[name=none]').val(), d.find('p').val(), d.find('x').val(), d.find('textarea').val()])`, `[["x","z"],null,null,null,"text"]`},
	} {
		b.Want(returned(tc.snippet), tc.want)
	}
}

func TestElement(t *testing.T) {
	b := bench(t)
	b.Text("one = (s) => d.find(s).get(0)")
	for _, tc := range []struct{ snippet, want string }{
		{`one('#main').id() + one('#main').className() + one('#main').classList().length + one('#main').nodeName() + one('#main').nodeType()`, "mainbig red2div1"},
		{`one('#main').getAttribute('DATA-NUM') + one('#main').getAttribute('no') + one('#main').hasAttribute('class') + one('p').hasAttributes() + one('b').hasAttributes()`, "12undefinedtruetruefalse"},
		{`one('#main').getAttributeNode('class').value + one('#main').attributes().id.value + one('#main').getAttributeNode('x') + one('#main').getAttributeNode('id').ownerElement.id()`, "big redmainundefinedmain"},
		{`one('svg').getAttribute('viewBox') + ' ' + one('svg').namespaceURI() + ' ' + one('p').isDefaultNamespace('http://www.w3.org/1999/xhtml')`, "0 0 1 1 http://www.w3.org/2000/svg true"},
		{`one('p').innerHTML() + '|' + one('p').textContent() + '|' + one('p').toString()`, "one <b>two</b>|one two|[object p]"},
		{`one('p').firstChild().nodeName() + one('p').firstChild().nodeValue() + one('p').lastChild().nodeName() + one('p').nodeValue() + one('p').firstChild().nodeType()`, "#textone bnull3"},
		{`one('p').childNodes().length + '' + one('p').children().length + one('p').childElementCount() + one('p').hasChildNodes() + one('img').hasChildNodes()`, "211truefalse"},
		{`one('p').firstElementChild().nodeName() + one('p').lastElementChild().nodeName() + one('b').firstElementChild()`, "bbnull"},
		{`one('p').nextSibling().textContent() + one('.c').previousSibling().nodeName() + one('.c').previousElementSibling().textContent() + one('p').nextElementSibling().textContent() + one('.c').nextElementSibling()`, "three#commentthreethreenull"},
		{`one('b').parentNode().nodeName() + one('b').parentElement().nodeName() + one('html').parentElement() + one('html').parentNode().nodeName()`, "ppnull#document"},
		{`one('b').ownerDocument().nodeType() + one('b').lang() + one('b').selection().text()`, "9entwo"},
		{`one('#main').contains(one('b')) + ' ' + one('b').contains(one('#main')) + ' ' + one('b').isSameNode(one('b')) + ' ' + one('p').isEqualNode(d.find('p').get(1)) + ' ' + one('p').isEqualNode(m.parseHTML(page).find('p').get(0))`, "true false true false true"},
		{`one('p').matches('.a') + ' ' + one('p').matches('.c') + one('#main').querySelector('.c').textContent() + one('#main').querySelectorAll('p').length + one('b').querySelector('i')`, "true falsefour3null"},
		{`one('#main').getElementsByTagName('P').length + '' + one('#main').getElementsByTagName('*').length + one('#main').getElementsByClassName('c a').length + one('#main').getElementsByClassName('').length`, "3410"},
		{`one('title').text() + one('b').isEqualNode(3) + one('b').contains(null)`, " A page falsefalse"},
		{`JSON.stringify(one('a')) + typeof one('a').href + typeof one('p').href + ('id' in one('a'))`, "{}functionundefinedtrue"},
	} {
		b.Want(returned(tc.snippet), tc.want)
	}
}

func TestKinds(t *testing.T) {
	b := bench(t)
	b.Text("one = (s) => d.find(s).get(0)")
	for _, tc := range []struct{ snippet, want string }{
		{`const a = one('a'); [a.href(), a.host(), a.hostname(), a.port(), a.pathname(), a.search(), a.hash(), a.protocol(), a.origin(), a.username(), a.password(), a.relList().length, a.text(), a.hreflang(), a.target()].join(' ')`,
			"https://u:p@other.test:8443/p%20q/r?s=1#t other.test:8443 other.test 8443 /p%20q/r ?s=1 #t https: https://other.test:8443 u p 2 link de "},
		{`const a = d.find('a').get(1); a.href() + a.origin() + a.hash() + a.search() + a.protocol() + a.name()`, ":here"},
		{`const f = one('form'); [f.method(), f.action(), f.enctype(), f.encoding(), f.elements().length, f.length(), f.noValidate(), f.autocomplete()].join(' ')`,
			"post /send?x=1#y multipart/form-data multipart/form-data 13 13 false on"},
		{`const i = one('#i1'); [i.form().id(), i.labels().length, i.list().id(), i.maxLength(), i.size(), i.type(), i.value(), i.disabled(), i.required(), i.formAction(), i.formMethod()].join(' ')`,
			"f 1 dl 8 20 text ann true false /send?x=1#y get"},
		{`const q = one('[name=q]'); [q.type(), q.disabled(), q.labels().length, q.value(), one('[name=c]').checked(), one('[name=c]').value(), one('[name=r]').checked()].join(' ')`, "search true 1  true on false"},
		{`const s = one('[name=s]'); [s.type(), s.length(), s.selectedIndex(), s.value(), s.options()[1].label(), s.options()[1].text(), s.options()[1].index(), s.options()[0].value(), s.options()[0].form().id(), s.selectedOptions().length, s.multiple()].join(' ')`,
			"select-one 2 0 first two second 1 first f 1 false"},
		{`const s = one('[name=m]'); [s.type(), s.selectedIndex(), s.selectedOptions().length, s.options()[2].selected(), one('[name=none]').selectedIndex(), one('[name=none]').value()].join(' ')`, "select-multiple 0 2 true -1 "},
		{`const t = one('textarea'); [t.value(), t.length(), t.cols(), t.rows(), t.maxLength(), t.type(), one('button').type(), one('button').formEnctype()].join(' ')`, "text 4 20 2 -1 textarea submit application/x-www-form-urlencoded"},
		{`const l = d.find('label'); [l.get(0).control().id(), l.get(0).htmlFor(), l.get(1).control().name(), l.get(1).form().id(), one('legend').form().id(), one('fieldset').elements().length, one('fieldset').type()].join(' ')`, "i1 i1 q f f 3 fieldset"},
		{`const t = one('table'); [t.caption().textContent(), t.tFoot().nodeName(), t.tHead(), t.tBodies().length, t.rows().length, t.rows()[2].textContent(), t.rows()[1].rowIndex(), t.rows()[1].sectionRowIndex(), t.rows()[0].cells().length, t.rows()[0].cells()[1].colSpan(), t.rows()[0].cells()[1].cellIndex(), t.tBodies()[0].rows().length].join(' ')`,
			"cap tfoot  1 3 foot 1 1 2 2 1 2"},
		{`[one('img').src(), one('img').width(), one('img').height(), one('map').areas().length, one('map').images().length, one('progress').position(), one('meter').value(), one('meter').max(), one('ol').start(), one('li').value()].join(' ')`, "i.png 10 0 1 1 0.75 0.5 1 3 7"},
		{`[one('base').href(), one('datalist').options().length, one('area').href(), one('area').pathname()].join(' ')`, "/b/ 1 x x"},
	} {
		b.Want(returned(tc.snippet), tc.want)
	}
}

func TestWrongUse(t *testing.T) {
	b := bench(t)
	for snippet, want := range map[string]string{
		`const f = d.find; f('p')`:                                 "TypeError: Selection.find() must be called on a Selection",
		`d.find('p').get(0).id.call({})`:                           "TypeError: Element.id() must be called on a Element",
		`d.find('p').each('x')`:                                    "each() needs a function",
		`d.find('p').map(null)`:                                    "map() needs a function",
		`d.find('p').filter(3)`:                                    "3 is neither a selector, a selection nor an element",
		`d.find('p').each(() => { throw new RangeError('mine') })`: "RangeError: mine",
	} {
		b.Throws(snippet, want)
	}
	b.Want(`return d.find('p').filter(undefined).size() + ' ' + d.find('p').nextUntil(null).size()`, "0 2")
}

// TestHostile checks that no document ends the process or takes out of proportion
// to its size: what the parser cannot do in linear time is refused.
func TestHostile(t *testing.T) {
	const size = 1 << 20
	repeat := func(s string) string { return strings.Repeat(s, size/len(s)) }
	var unclosed, attributes strings.Builder
	for i := range 400 {
		fmt.Fprintf(&unclosed, "<b id=%d>", i)
	}
	for i := range size / 8 {
		fmt.Fprintf(&attributes, " a%d", i)
	}
	for name, tc := range map[string]struct{ text, want string }{
		"deep":             {repeat("<div>"), "exceeds 512 nodes"},
		"inline":           {repeat("<b>"), "left open"},
		"repairs":          {"<p>" + unclosed.String() + repeat("</p><p>x"), "left open"},
		"foster":           {"<table>" + repeat("<b>x"), "left open"},
		"noscript":         {repeat("<noscript><a>"), "left open"},
		"roots":            {repeat("<body a1 b2><html c3>"), "too many html and body tags"},
		"tables":           {repeat("<table><td>"), "exceeds 512 nodes"},
		"templates":        {repeat("<template>"), "exceeds 512 nodes"},
		"frames":           {repeat("<frameset>"), "exceeds 512 nodes"},
		"same attributes":  {"<p " + repeat("a=1 ") + ">", "1"},
		"other attributes": {"<p" + attributes.String() + ">", "1"},
		"comparisons":      {"<p>" + repeat("i<a;j<b.length;"), "1"},
		"closings":         {repeat("</p></b></x>"), ""},
		"brackets":         {repeat("<"), "0"},
		"comments":         {repeat("<!--"), "0"},
		"selects":          {repeat("<select><option>"), "0"},
		"svg":              {repeat("<svg><p>"), "131072"},
		"zeros":            {repeat("\x00\xff"), "0"},
		"paragraphs":       {repeat("<p>x"), "262144"},
		"nested text":      {strings.Repeat("<div>", 400) + repeat("x<i>y</i>"), "0"},
	} {
		t.Run(name, func(t *testing.T) {
			b := moduletest.New(t, k6html.New(), moduletest.Config{})
			_ = b.Host.Runtime.Set("page", tc.text)
			v, err := b.Eval(`const d = m.parseHTML(page); d.text(); d.find('b').last().parents(); return d.find('p').size()`)
			got := fmt.Sprint(v)
			if err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, tc.want) {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

// TestInterruption checks that parsing ends with the activation.
func TestInterruption(t *testing.T) {
	b := moduletest.New(t, k6html.New(), moduletest.Config{})
	_ = b.Host.Runtime.Set("page", page)
	b.Cancel()
	_, err := b.Host.Runtime.RunString(`m.parseHTML(page).size()`)
	if err == nil || !strings.Contains(err.Error(), context.Canceled.Error()) {
		t.Errorf("the parser went on: %v", err)
	}
}

// TestLaziness checks that nothing is parsed that is not asked for.
func TestLaziness(t *testing.T) {
	b := moduletest.New(t, k6html.New(), moduletest.Config{})
	_ = b.Host.Runtime.Set("page", strings.Repeat("<div>", 600))
	b.Want(`d = m.parseHTML(page); return typeof d`, "object")
	b.Throws(`d.size()`, "the document cannot be read: html: open stack of elements exceeds 512 nodes")
	b.Throws(`d.find('p')`, "cannot be read")
}
