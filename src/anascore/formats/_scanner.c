/* Scanner of rows in columns: the words, and the cells that annotate coreference.
 *
 * It reads sentences in which nothing needs a closer look, and stops before the first one that
 * does. The readers in Python read that sentence, with all checks, and call the scanner again
 * behind it. So results and messages are the same as without the scanner, only slower to come by.
 */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <string.h>

typedef struct {
    const char *start;
    Py_ssize_t size;
} Text;

typedef struct {
    Text form;
    Text annotation;
    unsigned int line;
    int is_annotated;
} Word;

/* Words of the current sentence. */
typedef struct {
    Word *words;
    Py_ssize_t size;
    Py_ssize_t capacity;
} Sentence;

/* What is added for each sentence that has been read. Lines are a bytearray of unsigned int. */
typedef struct {
    PyObject *words;
    PyObject *interned;
    PyObject *lines;
    PyObject *sentences;
    PyObject *rows;
} Output;

#define MAX_MARKS 8
#define MAX_CELLS 8
#define MAX_COLUMNS 256

static int
contains(Text text, Text part)
{
    const char *start = text.start, *end = text.start + text.size - part.size + 1;
    if (part.size == 0) {
        return 1;
    }
    while (start < end && (start = memchr(start, part.start[0], end - start))) {
        if (memcmp(start, part.start, part.size) == 0) {
            return 1;
        }
        start++;
    }
    return 0;
}

static int
contains_any(Text text, const Text *parts, Py_ssize_t number)
{
    for (Py_ssize_t i = 0; i < number; i++) {
        if (contains(text, parts[i])) {
            return 1;
        }
    }
    return 0;
}

static int
equals(Text text, const char *other)
{
    return text.size == (Py_ssize_t)strlen(other) && memcmp(text.start, other, text.size) == 0;
}

/* Find the starts of the cells of a row, and where one behind the last would start; return their
 * number, or 0 if there are too many. */
static Py_ssize_t
split(Text row, const char **starts)
{
    const char *start = row.start, *end = row.start + row.size;
    Py_ssize_t cells = 0;
    while (start && cells < MAX_COLUMNS) {
        starts[cells++] = start;
        start = memchr(start, '\t', end - start);
        start = start ? start + 1 : NULL;
    }
    starts[cells] = end + 1;
    return start ? 0 : cells;
}

/* Return some cells side by side. */
static Text
cells_at(const char **starts, Py_ssize_t first, Py_ssize_t number)
{
    return (Text){starts[first], starts[first + number] - starts[first] - 1};
}

/* Read the number at the start of a text, without leading zeros; return its length, or 0. */
static Py_ssize_t
read_number(Text text, Py_ssize_t *number)
{
    Py_ssize_t size = 0;
    *number = 0;
    while (size < text.size && size < 9 && text.start[size] >= '0' && text.start[size] <= '9') {
        *number = *number * 10 + (text.start[size] - '0');
        size++;
    }
    return size && text.start[0] == '0' ? 0 : size;
}

static int
add_word(Sentence *sentence, Text form, Text annotation, unsigned int line, int is_annotated)
{
    if (sentence->size == sentence->capacity) {
        Py_ssize_t capacity = sentence->capacity ? 2 * sentence->capacity : 256;
        Word *words = PyMem_Realloc(sentence->words, capacity * sizeof(Word));
        if (words == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        sentence->words = words;
        sentence->capacity = capacity;
    }
    sentence->words[sentence->size++] = (Word){form, annotation, line, is_annotated};
    return 0;
}

/* Return a text as a string; equal texts share one string. */
static PyObject *
intern(PyObject *interned, Text text)
{
    PyObject *string = PyUnicode_DecodeUTF8(text.start, text.size, NULL);
    if (string == NULL) {
        return NULL;
    }
    PyObject *known = PyDict_GetItemWithError(interned, string);
    if (known != NULL) {
        Py_INCREF(known);
        Py_DECREF(string);
        return known;
    }
    if (PyErr_Occurred() || PyDict_SetItem(interned, string, string) < 0) {
        Py_DECREF(string);
        return NULL;
    }
    return string;
}

static int
append(PyObject *list, PyObject *item)
{
    int status = item == NULL ? -1 : PyList_Append(list, item);
    Py_XDECREF(item);
    return status;
}

/* Append the line and the position of a word, and the cells of its annotation. */
static int
append_row(PyObject *rows, const Word *word, Py_ssize_t number, Py_ssize_t cells)
{
    const char *starts[MAX_COLUMNS + 1];
    split(word->annotation, starts);
    PyObject *item = PyTuple_New(cells + 2);
    if (item == NULL) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < cells + 2; i++) {
        PyObject *value;
        if (i == 0) {
            value = PyLong_FromUnsignedLong(word->line);
        } else if (i == 1) {
            value = PyLong_FromSsize_t(number);
        } else {
            Text cell = cells_at(starts, i - 2, 1);
            value = PyUnicode_DecodeUTF8(cell.start, cell.size, NULL);
        }
        if (value == NULL || PyTuple_SetItem(item, i, value) < 0) {
            Py_DECREF(item);
            return -1;
        }
    }
    return append(rows, item);
}

/* Add a sentence to the output. */
static int
add_sentence(const Sentence *sentence, Output *output, Py_ssize_t cells)
{
    Py_ssize_t number = PyList_Size(output->words);
    Py_ssize_t size = PyByteArray_Size(output->lines);
    Py_ssize_t line_size = sizeof(sentence->words->line);
    if (append(output->sentences, PyLong_FromSsize_t(number)) < 0 ||
        PyByteArray_Resize(output->lines, size + sentence->size * line_size) < 0) {
        return -1;
    }
    char *lines = PyByteArray_AsString(output->lines) + size;
    for (Py_ssize_t i = 0; i < sentence->size; i++, number++) {
        const Word *word = &sentence->words[i];
        memcpy(lines + i * line_size, &word->line, line_size);
        if (append(output->words, intern(output->interned, word->form)) < 0 ||
            (word->is_annotated && append_row(output->rows, word, number, cells) < 0)) {
            return -1;
        }
    }
    return 0;
}

/* Fill an array with the items of a tuple of bytes; return their number, or -1. */
static Py_ssize_t
texts_of(PyObject *tuple, Text *texts, Py_ssize_t most)
{
    Py_ssize_t number = PyTuple_Size(tuple);
    if (number > most) {
        PyErr_SetString(PyExc_ValueError, "too many marks");
        return -1;
    }
    for (Py_ssize_t i = 0; i < number; i++) {
        char *start;
        if (PyBytes_AsStringAndSize(PyTuple_GetItem(tuple, i), &start, &texts[i].size) < 0) {
            return -1;
        }
        texts[i].start = start;
    }
    return number;
}

static Text
next_row(const char *position, const char *end)
{
    const char *newline = memchr(position, '\n', end - position);
    return (Text){position, (newline ? newline : end) - position};
}

enum { ROW_IS_UNUSUAL, ROW_IS_READ, ROW_FAILED };

typedef struct {
    Py_ssize_t tabs;
    Text marks[MAX_MARKS];
    Py_ssize_t number_of_marks;
    Text annotation[MAX_MARKS];
    Py_ssize_t number_of_annotation;
    Py_ssize_t first;
    Py_ssize_t cells;
    Py_ssize_t misc;
} Layout;

/* Return 1 if these columns are MISC alone, or all of them are _. */
static int
has_no_cells(Text annotation, const Layout *layout)
{
    return layout->first == layout->misc ||
           (annotation.size == 2 * layout->cells - 1 &&
            memcmp(annotation.start, "_\t_\t_\t_\t_\t_\t_\t_", annotation.size) == 0);
}

static int
is_marked_outside(Text row, Text annotation, const Layout *layout)
{
    const char *end = annotation.start + annotation.size;
    Text before = {row.start, annotation.start - row.start};
    Text behind = {end, row.start + row.size - end};
    return contains_any(before, layout->marks, layout->number_of_marks) ||
           contains_any(behind, layout->marks, layout->number_of_marks);
}

/* A multiword token of which there is nothing to report. */
static int
is_bare_multiword_token(Text row, Text id, Text annotation, const Layout *layout)
{
    Py_ssize_t number, size = read_number(id, &number), other_size;
    if (!size || size >= id.size || id.start[size] != '-') {
        return 0;
    }
    Text other = {id.start + size + 1, id.size - size - 1};
    other_size = read_number(other, &number);
    if (!other_size || other_size != other.size ||
        contains_any(row, layout->annotation, layout->number_of_annotation)) {
        return 0;
    }
    return has_no_cells(annotation, layout);
}

/* Read a row; the ID of a word must be the next one, or 1 at the start of a sentence. */
static int
read_conllu_row(Text row, unsigned int line, const Layout *layout, Sentence *sentence,
                Py_ssize_t *next_id)
{
    const char *starts[MAX_COLUMNS + 1];
    Py_ssize_t number, size = read_number(row, &number);
    if (!size || split(row, starts) != layout->tabs + 1) {
        return ROW_IS_UNUSUAL;
    }
    Text id = cells_at(starts, 0, 1);
    Text annotation = cells_at(starts, layout->first, layout->cells);
    if (size < id.size) {
        return is_bare_multiword_token(row, id, annotation, layout) ? ROW_IS_READ : ROW_IS_UNUSUAL;
    }
    if (number != *next_id && (number != 1 || sentence->size)) {
        return ROW_IS_UNUSUAL;
    }
    int is_marked = contains_any(row, layout->marks, layout->number_of_marks);
    if (is_marked && is_marked_outside(row, annotation, layout)) {
        return ROW_IS_UNUSUAL;
    }
    *next_id = number + 1;
    int is_annotated = is_marked || !has_no_cells(annotation, layout);
    Text form = cells_at(starts, 1, 1);
    return add_word(sentence, form, annotation, line, is_annotated) < 0 ? ROW_FAILED : ROW_IS_READ;
}

/* Return the position of the words in rows of some width, as in `conll2012.form_at`. */
static Py_ssize_t
form_at(Py_ssize_t width)
{
    return width > 4 ? 3 : width - 2;
}

/* Read a row of CoNLL-2012; `width` is that of its sentence, or 0 for the first row. */
static int
read_conll2012_row(Text row, unsigned int line, Py_ssize_t *width, Sentence *sentence)
{
    const char *starts[MAX_COLUMNS + 1];
    Py_ssize_t own_width = split(row, starts);
    unsigned char last = (unsigned char)row.start[row.size - 1];
    if (*width == 0) {
        *width = own_width;
    }
    /* White space at the end does not count; it may be a character of several bytes. */
    if (own_width < 2 || own_width != *width || last <= ' ' || last >= 0x7f) {
        return ROW_IS_UNUSUAL;
    }
    Text cell = cells_at(starts, own_width - 1, 1);
    if (equals(cell, "*")) {
        return ROW_IS_UNUSUAL;
    }
    int is_empty = equals(cell, "-") || equals(cell, "_");
    Text form = cells_at(starts, form_at(own_width), 1);
    return add_word(sentence, form, cell, line, !is_empty) < 0 ? ROW_FAILED : ROW_IS_READ;
}

PyDoc_STRVAR(scan_doc,
"scan(content, start, line, next_id, layout, output, most)\n--\n\n"
"Read sentences from a position, up to the one that fills `most` rows; return the position and line\n"
"where it stopped, the ID after the last word, that of the first word of the last sentence, and the\n"
"number of its columns, both 0 if there is none. Without a number of tabs, rows are CoNLL-2012.");

static PyObject *
scan(PyObject *module, PyObject *arguments)
{
    Py_buffer content;
    Py_ssize_t start, next_id, kept_id, first_id = 0, last_width = 0, width = 0, most;
    unsigned int line;
    Layout layout;
    Output output;
    Sentence sentence = {NULL, 0, 0};
    PyObject *marks, *annotation, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "y*nIn(nO!O!nnn)(O!O!O!O!O!)n", &content, &start, &line, &next_id,
                          &layout.tabs, &PyTuple_Type, &marks, &PyTuple_Type, &annotation,
                          &layout.first, &layout.cells, &layout.misc, &PyList_Type, &output.words,
                          &PyDict_Type, &output.interned, &PyByteArray_Type, &output.lines,
                          &PyList_Type, &output.sentences, &PyList_Type, &output.rows, &most)) {
        return NULL;
    }
    layout.number_of_marks = texts_of(marks, layout.marks, MAX_MARKS);
    layout.number_of_annotation = texts_of(annotation, layout.annotation, MAX_MARKS);
    if (layout.number_of_marks < 0 || layout.number_of_annotation < 0) {
        goto done;
    }
    if (layout.first < 0 || layout.cells < 1 || layout.cells > MAX_CELLS ||
        layout.first > layout.tabs + 1 - layout.cells) {
        PyErr_SetString(PyExc_ValueError, "too many columns");
        goto done;
    }
    int has_ids = layout.tabs > 0;
    const char *first = (const char *)content.buf, *end = first + content.len;
    kept_id = next_id;
    /* Where the current sentence starts. */
    const char *position = first + start;
    unsigned int start_line = line;
    const char *row_start = position;
    while (row_start < end && PyList_Size(output.rows) < most) {
        Text row = next_row(row_start, end);
        if (row.size && row.start[0] == '#') {
            /* In CoNLL-2012, with a tab it can be the word #. */
            if (!has_ids && memchr(row.start, '\t', row.size)) {
                break;
            }
        } else if (row.size) {
            int status = has_ids ? read_conllu_row(row, line, &layout, &sentence, &next_id)
                                 : read_conll2012_row(row, line, &width, &sentence);
            if (status == ROW_FAILED) {
                goto done;
            }
            if (status == ROW_IS_UNUSUAL) {
                break;
            }
        }
        row_start = row.start + row.size + 1;
        line++;
        if (row.size == 0 || row_start >= end) {
            if (sentence.size) {
                if (add_sentence(&sentence, &output, layout.cells) < 0) {
                    goto done;
                }
                first_id = next_id - sentence.size;
                kept_id = next_id;
                last_width = width;
                sentence.size = 0;
            }
            width = 0;
            position = row_start;
            start_line = line;
        }
    }
    if (position > end) {
        position = end;
    }
    result = Py_BuildValue("nInnn", (Py_ssize_t)(position - first), start_line, kept_id, first_id,
                           last_width);
done:
    PyMem_Free(sentence.words);
    PyBuffer_Release(&content);
    return result;
}

static PyMethodDef methods[] = {
    {"scan", scan, METH_VARARGS, scan_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "anascore.formats._scanner", NULL, 0, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC
PyInit__scanner(void)
{
    return PyModuleDef_Init(&definition);
}
