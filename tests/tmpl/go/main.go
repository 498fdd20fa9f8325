// Renders the corpus with Go's own packages: cases in, outcomes out, both JSON.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"os"
	"runtime"
	"strings"
	texttemplate "text/template"
)

type testCase struct {
	Template string          `json:"template"`
	Data     json.RawMessage `json:"data"`
	Text     bool            `json:"text"`
}

type outcome struct {
	Out         *string `json:"out,omitempty"`
	Code        string  `json:"code,omitempty"`
	Description string  `json:"description,omitempty"`
	Line        int     `json:"line,omitempty"`
}

type report struct {
	Version  string    `json:"version"`
	Outcomes []outcome `json:"outcomes"`
}

var codes = map[template.ErrorCode]string{
	template.ErrAmbigContext:      "ErrAmbigContext",
	template.ErrBadHTML:           "ErrBadHTML",
	template.ErrBranchEnd:         "ErrBranchEnd",
	template.ErrEndContext:        "ErrEndContext",
	template.ErrNoSuchTemplate:    "ErrNoSuchTemplate",
	template.ErrOutputContext:     "ErrOutputContext",
	template.ErrPartialCharset:    "ErrPartialCharset",
	template.ErrPartialEscape:     "ErrPartialEscape",
	template.ErrRangeLoopReentry:  "ErrRangeLoopReentry",
	template.ErrSlashAmbig:        "ErrSlashAmbig",
	template.ErrPredefinedEscaper: "ErrPredefinedEscaper",
}

var funcs = map[string]any{
	"upper": strings.ToUpper,
	"add":   func(a, b int) int { return a + b },
	"fail":  func() (string, error) { return "", errors.New("failed") },
	"list":  func(values ...any) []any { return values },
	"safe":  safe,
}

func safe(kind, text string) any {
	switch kind {
	case "html":
		return template.HTML(text)
	case "url":
		return template.URL(text)
	case "js":
		return template.JS(text)
	case "jsText":
		return template.JSStr(text)
	case "css":
		return template.CSS(text)
	case "attribute":
		return template.HTMLAttr(text)
	case "srcset":
		return template.Srcset(text)
	}
	panic("no kind " + kind)
}

// Whole numbers are ints, as they are for a language with one type of number.
func convert(value any) any {
	switch v := value.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return int(i)
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = convert(v[i])
		}
		return v
	case map[string]any:
		if kind, ok := v["$safe"].(string); ok {
			return safe(kind, v["text"].(string))
		}
		for key := range v {
			v[key] = convert(v[key])
		}
		return v
	}
	return value
}

func run(c testCase) outcome {
	decoder := json.NewDecoder(bytes.NewReader(c.Data))
	decoder.UseNumber()
	var data any
	if err := decoder.Decode(&data); err != nil {
		panic(err)
	}
	data = convert(data)
	var out bytes.Buffer
	var err error
	if c.Text {
		var t *texttemplate.Template
		if t, err = texttemplate.New("main").Funcs(funcs).Parse(c.Template); err != nil {
			return outcome{Code: "ErrParse", Description: err.Error()}
		}
		err = t.Execute(&out, data)
	} else {
		var t *template.Template
		if t, err = template.New("main").Funcs(funcs).Parse(c.Template); err != nil {
			return outcome{Code: "ErrParse", Description: err.Error()}
		}
		err = t.Execute(&out, data)
	}
	if err == nil {
		text := out.String()
		return outcome{Out: &text}
	}
	var escapeError *template.Error
	if errors.As(err, &escapeError) {
		code, ok := codes[escapeError.ErrorCode]
		if !ok {
			code = "ErrJSTemplate"
		}
		return outcome{Code: code, Description: escapeError.Description, Line: escapeError.Line}
	}
	return outcome{Code: "ErrExec", Description: err.Error()}
}

func main() {
	var cases []testCase
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	result := report{Version: runtime.Version()}
	for _, c := range cases {
		result.Outcomes = append(result.Outcomes, run(c))
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(result); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
