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
    Text row;
    Text form;
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
#define MAX_KEYS 8

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

static int
ends_with(Text text, const char *ending)
{
    Py_ssize_t size = strlen(ending);
    return text.size >= size && memcmp(text.start + text.size - size, ending, size) == 0;
}

/* Return the cell at a position, or the last one if there are fewer. */
static Text
cell_at(Text row, Py_ssize_t position)
{
    const char *start = row.start, *end = row.start + row.size, *tab;
    while (position-- > 0 && (tab = memchr(start, '\t', end - start))) {
        start = tab + 1;
    }
    tab = memchr(start, '\t', end - start);
    return (Text){start, (tab ? tab : end) - start};
}

static Py_ssize_t
count_tabs(Text row)
{
    const char *start = row.start, *end = row.start + row.size;
    Py_ssize_t tabs = 0;
    while ((start = memchr(start, '\t', end - start))) {
        tabs++;
        start++;
    }
    return tabs;
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
add_word(Sentence *sentence, Text row, Text form, unsigned int line, int is_annotated)
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
    sentence->words[sentence->size++] = (Word){row, form, line, is_annotated};
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

/* Append the line and the position of a word, and the cells at some positions. */
static int
append_row(PyObject *rows, const Word *word, Py_ssize_t number, const Py_ssize_t *positions,
           Py_ssize_t cells)
{
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
            Text cell = cell_at(word->row, positions[i - 2]);
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
add_sentence(const Sentence *sentence, Output *output, const Py_ssize_t *positions,
             Py_ssize_t cells)
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
            (word->is_annotated &&
             append_row(output->rows, word, number, positions, cells) < 0)) {
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
    Py_ssize_t positions[MAX_CELLS];
    Py_ssize_t cells;
    Py_ssize_t misc;
} Layout;

/* A multiword token of which there is nothing to report. */
static int
is_bare_multiword_token(Text row, const Layout *layout)
{
    Text id = cell_at(row, 0);
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
    for (Py_ssize_t i = 0; i < layout->cells; i++) {
        if (layout->positions[i] != layout->misc &&
            !equals(cell_at(row, layout->positions[i]), "_")) {
            return 0;
        }
    }
    return 1;
}

/* Read a row; the ID of a word must be the next one, or 1 at the start of a sentence. */
static int
read_conllu_row(Text row, unsigned int line, const Layout *layout, Sentence *sentence,
                Py_ssize_t *next_id)
{
    Py_ssize_t number, size = read_number(row, &number);
    if (!size || count_tabs(row) != layout->tabs) {
        return ROW_IS_UNUSUAL;
    }
    if (row.start[size] != '\t') {
        return is_bare_multiword_token(row, layout) ? ROW_IS_READ : ROW_IS_UNUSUAL;
    }
    if (number != *next_id && (number != 1 || sentence->size)) {
        return ROW_IS_UNUSUAL;
    }
    *next_id = number + 1;
    int is_annotated = contains_any(row, layout->marks, layout->number_of_marks);
    Text form = cell_at(row, 1);
    return add_word(sentence, row, form, line, is_annotated) < 0 ? ROW_FAILED : ROW_IS_READ;
}

PyDoc_STRVAR(scan_conllu_doc,
"scan_conllu(content, start, line, next_id, layout, output, most)\n--\n\n"
"Read sentences of CoNLL-U from a position, up to the one that fills `most` rows; return the\n"
"position and line where it stopped, the ID after the last word, and that of the first word of the\n"
"last sentence, 0 if there is none.");

static PyObject *
scan_conllu(PyObject *module, PyObject *arguments)
{
    Py_buffer content;
    Py_ssize_t start, next_id, kept_id, first_id = 0, most;
    unsigned int line;
    Layout layout;
    Output output;
    Sentence sentence = {NULL, 0, 0};
    PyObject *marks, *annotation, *positions, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "y*nIn(nO!O!O!n)(O!O!O!O!O!)n", &content, &start, &line, &next_id,
                          &layout.tabs, &PyTuple_Type, &marks, &PyTuple_Type, &annotation,
                          &PyTuple_Type, &positions, &layout.misc, &PyList_Type, &output.words,
                          &PyDict_Type, &output.interned, &PyByteArray_Type, &output.lines,
                          &PyList_Type, &output.sentences, &PyList_Type, &output.rows, &most)) {
        return NULL;
    }
    layout.number_of_marks = texts_of(marks, layout.marks, MAX_MARKS);
    layout.number_of_annotation = texts_of(annotation, layout.annotation, MAX_MARKS);
    layout.cells = PyTuple_Size(positions);
    if (layout.number_of_marks < 0 || layout.number_of_annotation < 0) {
        goto done;
    }
    if (layout.cells > MAX_CELLS) {
        PyErr_SetString(PyExc_ValueError, "too many columns");
        goto done;
    }
    for (Py_ssize_t i = 0; i < layout.cells; i++) {
        layout.positions[i] = PyLong_AsSsize_t(PyTuple_GetItem(positions, i));
    }
    if (PyErr_Occurred()) {
        goto done;
    }
    const char *first = (const char *)content.buf, *end = first + content.len;
    kept_id = next_id;
    /* Where the current sentence starts. */
    const char *position = first + start;
    unsigned int start_line = line;
    const char *row_start = position;
    while (row_start < end && PyList_Size(output.rows) < most) {
        Text row = next_row(row_start, end);
        if (row.size && row.start[0] != '#') {
            int status = read_conllu_row(row, line, &layout, &sentence, &next_id);
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
                if (add_sentence(&sentence, &output, layout.positions, layout.cells) < 0) {
                    goto done;
                }
                first_id = next_id - sentence.size;
                kept_id = next_id;
                sentence.size = 0;
            }
            position = row_start;
            start_line = line;
        }
    }
    if (position > end) {
        position = end;
    }
    result = Py_BuildValue("nInn", (Py_ssize_t)(position - first), start_line, kept_id, first_id);
done:
    PyMem_Free(sentence.words);
    PyBuffer_Release(&content);
    return result;
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
    Py_ssize_t own_width = count_tabs(row) + 1;
    unsigned char last = (unsigned char)row.start[row.size - 1];
    if (*width == 0) {
        *width = own_width;
    }
    /* White space at the end does not count; it may be a character of several bytes. */
    if (own_width < 2 || own_width != *width || last <= ' ' || last >= 0x7f) {
        return ROW_IS_UNUSUAL;
    }
    Text cell = cell_at(row, own_width - 1);
    int is_empty = equals(cell, "-") || equals(cell, "_") || equals(cell, "*");
    Text form = cell_at(row, form_at(own_width));
    return add_word(sentence, row, form, line, !is_empty) < 0 ? ROW_FAILED : ROW_IS_READ;
}

PyDoc_STRVAR(scan_conll2012_doc,
"scan_conll2012(content, start, line, output, most)\n--\n\n"
"Read sentences of CoNLL-2012 from a position, up to the one that fills `most` rows; return the\n"
"position and line where it stopped, and the number of columns of the last sentence, 0 if there is\n"
"none.");

static PyObject *
scan_conll2012(PyObject *module, PyObject *arguments)
{
    Py_buffer content;
    Py_ssize_t start, last_width = 0, width = 0, most;
    unsigned int line;
    Output output;
    Sentence sentence = {NULL, 0, 0};
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(arguments, "y*nI(O!O!O!O!O!)n", &content, &start, &line, &PyList_Type,
                          &output.words, &PyDict_Type, &output.interned, &PyByteArray_Type,
                          &output.lines, &PyList_Type, &output.sentences, &PyList_Type,
                          &output.rows, &most)) {
        return NULL;
    }
    const char *first = (const char *)content.buf, *end = first + content.len;
    const char *position = first + start;
    unsigned int start_line = line;
    const char *row_start = position;
    while (row_start < end && PyList_Size(output.rows) < most) {
        Text row = next_row(row_start, end);
        if (row.size && row.start[0] == '#') {
            /* With a tab it can be the word #. */
            if (memchr(row.start, '\t', row.size)) {
                break;
            }
        } else if (row.size) {
            int status = read_conll2012_row(row, line, &width, &sentence);
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
                Py_ssize_t last_cell = width - 1;
                if (add_sentence(&sentence, &output, &last_cell, 1) < 0) {
                    goto done;
                }
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
    result = Py_BuildValue("nIn", (Py_ssize_t)(position - first), start_line, last_width);
done:
    PyMem_Free(sentence.words);
    PyBuffer_Release(&content);
    return result;
}

/* Brackets: they are read into the lists and dictionaries of the readers in Python. What needs a
 * closer look is left to them, bracket by bracket. */

static newfunc new_tuple, new_object;

/* Make an instance of a class that is derived from tuple; takes over the items. */
static PyObject *
new_instance(PyObject *type, PyObject *items)
{
    if (items == NULL) {
        return NULL;
    }
    PyObject *arguments = PyTuple_Pack(1, items);
    Py_DECREF(items);
    if (arguments == NULL) {
        return NULL;
    }
    PyObject *instance = new_tuple((PyTypeObject *)type, arguments, NULL);
    Py_DECREF(arguments);
    return instance;
}

/* Make a tuple of two items; takes over both. */
static PyObject *
new_pair(PyObject *first, PyObject *second)
{
    PyObject *pair = first && second ? PyTuple_Pack(2, first, second) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(second);
    return pair;
}

/* Make the spans of consecutive words, ((start, end),); takes over the start. */
static PyObject *
new_spans(PyObject *start, Py_ssize_t end)
{
    PyObject *span = new_pair(start, PyLong_FromSsize_t(end));
    PyObject *spans = span ? PyTuple_Pack(1, span) : NULL;
    Py_XDECREF(span);
    return spans;
}

/* Make a mention of consecutive words from `start`, which is an int, to `end`; `head` is the number
 * of the head inside of it, from 1, or 0. */
static PyObject *
new_mention(PyObject *type, PyObject *start, Py_ssize_t end, Py_ssize_t head)
{
    PyObject *words = new_spans(Py_NewRef(start), end), *empty = PyTuple_New(0), *minimum, *items;
    if (head == 0) {
        minimum = Py_XNewRef(empty);
    } else {
        Py_ssize_t word = PyLong_AsSsize_t(start) + head;
        /* Most heads are the first word, and equal numbers share an object. */
        minimum = new_spans(head == 1 ? Py_NewRef(start) : PyLong_FromSsize_t(word - 1), word);
    }
    items = words && empty && minimum ? PyTuple_Pack(4, words, empty, minimum, Py_None) : NULL;
    Py_XDECREF(words);
    Py_XDECREF(empty);
    Py_XDECREF(minimum);
    return new_instance(type, items);
}

/* A bracket in a text: what is inside, whether it opens, and whether it closes. */
typedef struct {
    Text content;
    int opens;
    int closes;
    const char *end;
} Bracket;

/* Read the bracket at a position, which a separator may end; return 0 for other texts. */
static int
read_bracket(const char *start, const char *end, char separator, Bracket *bracket)
{
    bracket->opens = *start == '(';
    start += bracket->opens;
    const char *position = start;
    while (position < end && *position != '(' && *position != ')' &&
           *position != separator) {
        position++;
    }
    bracket->content = (Text){start, position - start};
    bracket->closes = position < end && *position == ')';
    bracket->end = position + bracket->closes;
    return bracket->opens || bracket->closes;
}

/* Remove and return the last item of a list in a dictionary, and the list if it is empty then. */
static PyObject *
pop_last(PyObject *lists, PyObject *key, PyObject *list)
{
    Py_ssize_t size = PyList_Size(list);
    PyObject *item = PyList_GetItem(list, size - 1);
    Py_XINCREF(item);
    if (item != NULL && (PyList_SetSlice(list, size - 1, size, NULL) < 0 ||
                         (size == 1 && PyDict_DelItem(lists, key) < 0))) {
        Py_CLEAR(item);
    }
    return item;
}

/* Append an item to a list in a dictionary, which may be new; takes over the item. */
static int
append_to(PyObject *lists, PyObject *key, PyObject *item)
{
    PyObject *list = PyDict_GetItemWithError(lists, key);
    if (list != NULL) {
        return append(list, item);
    }
    list = PyErr_Occurred() ? NULL : PyList_New(0);
    int status = list == NULL ? -1 : PyDict_SetItem(lists, key, list);
    Py_XDECREF(list);
    if (status < 0) {
        Py_XDECREF(item);
        return -1;
    }
    return append(list, item);
}

enum { BRACKET_IS_UNUSUAL, BRACKET_IS_READ, BRACKET_FAILED };

/* Dictionaries and classes of `corefud_brackets.EntityReader`. */
typedef struct {
    PyObject *open;
    PyObject *entities;
    PyObject *numbers;
    PyObject *fields;
    PyObject *entity_type;
    PyObject *mention_type;
} EntityReader;

/* A row with brackets, and the number of zeros before it. */
typedef struct {
    PyObject *line;
    PyObject *word;
    Py_ssize_t number;
    Py_ssize_t zeros;
} EntityRow;

/* Add the mention from a word to the row to an entity. Nothing is added if it is unusual. */
static int
add_mention(const EntityReader *reader, const EntityRow *row, PyObject *entity, PyObject *fields,
            PyObject *line, PyObject *start)
{
    PyObject *numbers = PyDict_GetItemWithError(reader->numbers, fields);
    if (numbers == NULL || numbers == Py_None) {
        return PyErr_Occurred() ? BRACKET_FAILED : BRACKET_IS_UNUSUAL;
    }
    Py_ssize_t end = row->number + 1, words = end - PyLong_AsSsize_t(start);
    Py_ssize_t size = PyTuple_Size(numbers), head = 0;
    if (size > 1) {
        return BRACKET_IS_UNUSUAL;
    }
    if (size == 1) {
        head = PyLong_AsSsize_t(PyTuple_GetItem(numbers, 0));
        if (head > words) {
            return BRACKET_IS_UNUSUAL;
        }
        head = words == 1 ? 0 : head;
    }
    if (append(PyTuple_GetItem(entity, 0),
               new_mention(reader->mention_type, start, end, head)) < 0 ||
        PyList_Append(PyTuple_GetItem(entity, 1), fields) < 0 ||
        PyList_Append(PyTuple_GetItem(entity, 2), line) < 0) {
        return BRACKET_FAILED;
    }
    return BRACKET_IS_READ;
}

/* Close the last of the opening brackets of a label, which are (fields, line, (word, zeros)). */
static int
close_entity_bracket(const EntityReader *reader, const EntityRow *row, Text text)
{
    PyObject *label = PyUnicode_DecodeUTF8(text.start, text.size, NULL);
    if (label == NULL) {
        return BRACKET_FAILED;
    }
    int status = BRACKET_IS_UNUSUAL;
    PyObject *stack = PyDict_GetItemWithError(reader->open, label);
    PyObject *entity = stack ? PyDict_GetItemWithError(reader->entities, label) : NULL;
    if (entity != NULL) {
        PyObject *opening = PyList_GetItem(stack, PyList_Size(stack) - 1);
        PyObject *position = PyTuple_GetItem(opening, 2);
        if (PyLong_AsSsize_t(PyTuple_GetItem(position, 1)) == row->zeros) {
            status = add_mention(reader, row, entity, PyTuple_GetItem(opening, 0),
                                 PyTuple_GetItem(opening, 1), PyTuple_GetItem(position, 0));
        }
        if (status == BRACKET_IS_READ) {
            opening = pop_last(reader->open, label, stack);
            status = opening == NULL ? BRACKET_FAILED : BRACKET_IS_READ;
            Py_XDECREF(opening);
        }
    }
    Py_DECREF(label);
    return PyErr_Occurred() ? BRACKET_FAILED : status;
}

/* Put an opening bracket on the stack of its label. */
static int
push_opening(const EntityReader *reader, const EntityRow *row, PyObject *label, PyObject *fields)
{
    PyObject *position = new_pair(Py_NewRef(row->word), PyLong_FromSsize_t(row->zeros));
    PyObject *opening = position ? PyTuple_Pack(3, fields, row->line, position) : NULL;
    Py_XDECREF(position);
    if (opening == NULL || append_to(reader->open, label, opening) < 0) {
        return BRACKET_FAILED;
    }
    return BRACKET_IS_READ;
}

static int
open_entity_bracket(const EntityReader *reader, const EntityRow *row, const Bracket *bracket)
{
    Text text = bracket->content;
    const char *hyphen = memchr(text.start, '-', text.size);
    Py_ssize_t size = hyphen ? hyphen - text.start : text.size;
    if (size == 0 || memchr(text.start, '[', size) || memchr(text.start, ']', size)) {
        return BRACKET_IS_UNUSUAL;
    }
    Py_ssize_t rest = hyphen ? size + 1 : size;
    PyObject *label = PyUnicode_DecodeUTF8(text.start, size, NULL);
    PyObject *fields = intern(reader->fields, (Text){text.start + rest, text.size - rest});
    int status = BRACKET_FAILED;
    if (label == NULL || fields == NULL) {
        goto done;
    }
    PyObject *entity = PyDict_GetItemWithError(reader->entities, label);
    if (entity == NULL) {
        if (PyErr_Occurred()) {
            goto done;
        }
        PyObject *new_entity = new_instance(reader->entity_type, Py_BuildValue("[][][]"));
        if (new_entity == NULL || PyDict_SetItem(reader->entities, label, new_entity) < 0) {
            Py_XDECREF(new_entity);
            goto done;
        }
        entity = new_entity;
        Py_DECREF(new_entity);
    }
    status = bracket->closes ? add_mention(reader, row, entity, fields, row->line, row->word)
                             : push_opening(reader, row, label, fields);
done:
    Py_XDECREF(label);
    Py_XDECREF(fields);
    return status;
}

/* Find the value of Entity in MISC; return 0 if there is anything else that needs a look. */
static int
find_entity(Text misc, Text *value)
{
    static const Text entity = {"Entity=", 7}, split = {"Split", 5}, bridge = {"Bridge=", 7};
    unsigned char last = misc.size ? (unsigned char)misc.start[misc.size - 1] : 0;
    if (last <= ' ' || last >= 0x7f || contains(misc, split) || contains(misc, bridge)) {
        return 0;
    }
    const char *start = misc.start, *end = misc.start + misc.size;
    while ((start = memchr(start, 'E', end - start)) &&
           (end - start < 7 || memcmp(start, "Entity=", 7) != 0)) {
        start++;
    }
    if (start == NULL || (start > misc.start && start[-1] != '|')) {
        return 0;
    }
    start += 7;
    if (contains((Text){start, end - start}, entity)) {
        return 0;
    }
    const char *bar = memchr(start, '|', end - start);
    *value = (Text){start, (bar ? bar : end) - start};
    return value->size > 0;
}

PyDoc_STRVAR(read_entities_doc,
"read_entities(rows, first, zeros, reader)\n--\n\n"
"Read the brackets in MISC from a row on; return the row that needs a closer look, and the rest of\n"
"its value of Entity, None if nothing of the row has been read.");

static PyObject *
read_entities(PyObject *module, PyObject *arguments)
{
    PyObject *rows;
    Py_ssize_t number, zeros;
    EntityReader reader;
    if (!PyArg_ParseTuple(arguments, "O!nn(O!O!O!O!OO)", &PyList_Type, &rows, &number, &zeros,
                          &PyDict_Type, &reader.open, &PyDict_Type, &reader.entities,
                          &PyDict_Type, &reader.numbers, &PyDict_Type, &reader.fields,
                          &reader.entity_type, &reader.mention_type)) {
        return NULL;
    }
    for (; number < PyList_Size(rows); number++) {
        PyObject *scanned = PyList_GetItem(rows, number), *word = PyTuple_GetItem(scanned, 1);
        EntityRow row = {PyTuple_GetItem(scanned, 0), word, PyLong_AsSsize_t(word), zeros};
        Text misc, value;
        misc.start = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(scanned, 2), &misc.size);
        if (misc.start == NULL) {
            return NULL;
        }
        if (!find_entity(misc, &value)) {
            return Py_BuildValue("nO", number, Py_None);
        }
        const char *position = value.start, *end = value.start + value.size;
        while (position < end) {
            Bracket bracket;
            int status = BRACKET_IS_UNUSUAL;
            if (read_bracket(position, end, '|', &bracket) && bracket.content.size) {
                status = bracket.opens ? open_entity_bracket(&reader, &row, &bracket)
                                       : close_entity_bracket(&reader, &row, bracket.content);
            }
            if (status == BRACKET_FAILED) {
                return NULL;
            }
            if (status == BRACKET_IS_UNUSUAL) {
                return Py_BuildValue("ns#", number, position, (Py_ssize_t)(end - position));
            }
            position = bracket.end;
        }
    }
    return Py_BuildValue("nO", number, Py_None);
}

/* Make an instance of a class with slots, without its constructor, and set two or more of them. */
static PyObject *
new_slotted(PyObject *type, PyObject *slots, PyObject *const *values)
{
    PyObject *arguments = PyTuple_New(0);
    PyObject *instance = arguments ? new_object((PyTypeObject *)type, arguments, NULL) : NULL;
    Py_XDECREF(arguments);
    for (Py_ssize_t i = 0; instance != NULL && i < PyTuple_Size(slots); i++) {
        if (PyObject_GenericSetAttr(instance, PyTuple_GetItem(slots, i), values[i]) < 0) {
            Py_CLEAR(instance);
        }
    }
    return instance;
}

PyDoc_STRVAR(new_entities_doc,
"new_entities(entities, (entity_type, slots), relation, attributes)\n--\n\n"
"Make entities without elements of those that have mentions. Each has a list of mentions and one of\n"
"their attributes, which become a tuple, or with (type, slots, names) an object of this class.");

static PyObject *
new_entities(PyObject *module, PyObject *arguments)
{
    PyObject *entities, *entity_type, *slots, *relation;
    PyObject *attributes_type = NULL, *attributes_slots = NULL, *names = NULL;
    if (!PyArg_ParseTuple(arguments, "O!(OO!)O|(OO!O)", &PyDict_Type, &entities, &entity_type,
                          &PyTuple_Type, &slots, &relation, &attributes_type, &PyTuple_Type,
                          &attributes_slots, &names)) {
        return NULL;
    }
    if (PyTuple_Size(slots) != 6 || (names && PyTuple_Size(attributes_slots) != 2)) {
        PyErr_SetString(PyExc_ValueError, "not the slots of an entity");
        return NULL;
    }
    PyObject *result = PyList_New(0), *empty = PyTuple_New(0), *name, *entity;
    Py_ssize_t position = 0;
    int status = result != NULL && empty != NULL ? 0 : -1;
    while (status == 0 && PyDict_Next(entities, &position, &name, &entity)) {
        PyObject *listed = PyTuple_GetItem(entity, 0), *fields = PyTuple_GetItem(entity, 1);
        if (PyList_Size(listed) == 0) {
            continue;
        }
        PyObject *const own[] = {names, fields};
        PyObject *mentions = PyList_AsTuple(listed);
        PyObject *attributes = names ? new_slotted(attributes_type, attributes_slots, own)
                                     : PyList_AsTuple(fields);
        status = -1;
        if (mentions != NULL && attributes != NULL) {
            PyObject *const values[] = {mentions, empty, name, attributes, relation, empty};
            status = append(result, new_slotted(entity_type, slots, values));
        }
        Py_XDECREF(mentions);
        Py_XDECREF(attributes);
    }
    PyObject *made = status == 0 ? PyList_AsTuple(result) : NULL;
    Py_XDECREF(result);
    Py_XDECREF(empty);
    return made;
}

PyDoc_STRVAR(read_clusters_doc,
"read_clusters(rows, first, open, mentions, mention_type)\n--\n\n"
"Read the last column of CoNLL-2012 from a row on; return the row that needs a closer look, and the\n"
"rest of its cell.");

static int
read_cluster_bracket(const Bracket *bracket, PyObject *line, PyObject *word, Py_ssize_t end,
                     PyObject *open, PyObject *mentions, PyObject *mention_type)
{
    PyObject *label = PyUnicode_DecodeUTF8(bracket->content.start, bracket->content.size, NULL);
    if (label == NULL) {
        return BRACKET_FAILED;
    }
    int status = BRACKET_IS_UNUSUAL;
    if (bracket->opens && bracket->closes) {
        PyObject *mention = new_mention(mention_type, word, end, 0);
        status = append_to(mentions, label, mention) < 0 ? BRACKET_FAILED : BRACKET_IS_READ;
    } else if (bracket->opens) {
        PyObject *list = PyDict_GetItemWithError(mentions, label);
        if (list == NULL && !PyErr_Occurred() && (list = PyList_New(0))) {
            PyDict_SetItem(mentions, label, list);
            Py_DECREF(list);
        }
        if (!PyErr_Occurred()) {
            append_to(open, label, PyTuple_Pack(2, word, line));
        }
        status = BRACKET_IS_READ;
    } else {
        PyObject *starts = PyDict_GetItemWithError(open, label);
        if (starts != NULL) {
            PyObject *start = pop_last(open, label, starts);
            if (start != NULL) {
                PyObject *first = PyTuple_GetItem(start, 0);
                append_to(mentions, label, new_mention(mention_type, first, end, 0));
                Py_DECREF(start);
            }
            status = BRACKET_IS_READ;
        }
    }
    Py_DECREF(label);
    return PyErr_Occurred() ? BRACKET_FAILED : status;
}

static PyObject *
read_clusters(PyObject *module, PyObject *arguments)
{
    PyObject *rows, *open, *mentions, *mention_type;
    Py_ssize_t number;
    if (!PyArg_ParseTuple(arguments, "O!nO!O!O", &PyList_Type, &rows, &number, &PyDict_Type, &open,
                          &PyDict_Type, &mentions, &mention_type)) {
        return NULL;
    }
    for (; number < PyList_Size(rows); number++) {
        PyObject *row = PyList_GetItem(rows, number), *line = PyTuple_GetItem(row, 0);
        PyObject *word = PyTuple_GetItem(row, 1);
        Py_ssize_t last = PyLong_AsSsize_t(word), size;
        const char *position = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(row, 2), &size), *end;
        if (position == NULL) {
            return NULL;
        }
        end = position + size;
        while (position < end) {
            Bracket bracket;
            if (*position == '|') {
                position++;
                continue;
            }
            int status = BRACKET_IS_UNUSUAL;
            if (read_bracket(position, end, '|', &bracket) && bracket.content.size) {
                status = read_cluster_bracket(&bracket, line, word, last + 1, open, mentions,
                                              mention_type);
            }
            if (status == BRACKET_FAILED) {
                return NULL;
            }
            if (status == BRACKET_IS_UNUSUAL) {
                return Py_BuildValue("ns#", number, position, (Py_ssize_t)(end - position));
            }
            position = bracket.end;
        }
    }
    return Py_BuildValue("nO", number, Py_None);
}

static int
is_plain(char character)
{
    return (unsigned char)character > ' ' && (unsigned char)character < 0x7f;
}

/* Keys of attributes: as files have them, and as dictionaries do. */
typedef struct {
    Text spellings[MAX_KEYS];
    PyObject *keys[MAX_KEYS];
    Py_ssize_t number;
} Keys;

/* Fill an array with the keys of a dictionary, which must outlive it; return -1 on an error. */
static int
keys_of(PyObject *dictionary, Keys *keys)
{
    Py_ssize_t position = 0;
    PyObject *spelling;
    keys->number = 0;
    if (PyDict_Size(dictionary) > MAX_KEYS) {
        PyErr_SetString(PyExc_ValueError, "too many keys");
        return -1;
    }
    while (PyDict_Next(dictionary, &position, &spelling, &keys->keys[keys->number])) {
        Text *text = &keys->spellings[keys->number++];
        text->start = PyUnicode_AsUTF8AndSize(spelling, &text->size);
        if (text->start == NULL) {
            return -1;
        }
    }
    return 0;
}

/* Return the key of a spelling, borrowed; NULL if it is unknown. */
static PyObject *
find_key(const Keys *keys, Text spelling)
{
    for (Py_ssize_t i = 0; i < keys->number; i++) {
        Text known = keys->spellings[i];
        if (known.size == spelling.size && memcmp(known.start, spelling.start, known.size) == 0) {
            return keys->keys[i];
        }
    }
    return NULL;
}

/* Split `key=value|key=value` into a dictionary. Return None if a key is unknown or repeated, or a
 * value may have white space around it. */
static PyObject *
split_attributes(Text text, const Keys *keys)
{
    const char *start = text.start, *end = text.start + text.size;
    PyObject *attributes = PyDict_New();
    Py_ssize_t number = 0;
    int is_usual = attributes != NULL;
    while (is_usual && start <= end) {
        const char *bar = memchr(start, '|', end - start);
        const char *stop = bar ? bar : end, *sign = memchr(start, '=', stop - start);
        if (sign == NULL || sign + 1 == stop || !is_plain(sign[1]) || !is_plain(stop[-1])) {
            is_usual = 0;
            break;
        }
        PyObject *key = find_key(keys, (Text){start, sign - start});
        PyObject *value = key ? PyUnicode_DecodeUTF8(sign + 1, stop - sign - 1, NULL) : NULL;
        is_usual = value != NULL && PyDict_SetItem(attributes, key, value) == 0 &&
                   PyDict_Size(attributes) == ++number;
        Py_XDECREF(value);
        start = stop + 1;
    }
    if (is_usual) {
        return attributes;
    }
    Py_XDECREF(attributes);
    if (PyErr_Occurred()) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* Return a minimum span like 3 or 3,5 as spans of words; None if it has another form. */
static PyObject *
minimum_span(PyObject *value)
{
    Text text;
    Py_ssize_t first, last;
    text.start = PyUnicode_AsUTF8AndSize(value, &text.size);
    if (text.start == NULL) {
        return NULL;
    }
    Py_ssize_t size = read_number(text, &first);
    last = first;
    if (size && size < text.size && text.start[size] == ',') {
        Text rest = {text.start + size + 1, text.size - size - 1};
        Py_ssize_t rest_size = read_number(rest, &last);
        size = rest_size ? size + 1 + rest_size : 0;
    }
    if (size == 0 || size != text.size || last < first) {
        Py_RETURN_NONE;
    }
    return Py_BuildValue("((nn))", first - 1, last);
}

/* Lists, dictionaries and classes of `ua_brackets.ColumnReader`. */
typedef struct {
    PyObject *markables;
    PyObject *by_name;
    /* Brackets that are open, as in `ua_brackets._OpenBrackets`. */
    PyObject *stack;
    PyObject *positions;
    PyObject *markable_type;
    Keys keys;
    /* Some of the keys. */
    PyObject *entity, *name, *minimum;
} MarkableReader;

static int
open_markable(const MarkableReader *reader, const Bracket *bracket, PyObject *line,
              Py_ssize_t word, Py_ssize_t zeros)
{
    PyObject *attributes = split_attributes(bracket->content, &reader->keys);
    PyObject *parts = NULL, *minimum = NULL, *markable = NULL;
    int status = BRACKET_FAILED;
    if (attributes == NULL) {
        return BRACKET_FAILED;
    }
    if (attributes == Py_None) {
        status = BRACKET_IS_UNUSUAL;
        goto done;
    }
    PyObject *entity = PyDict_GetItemWithError(attributes, reader->entity);
    PyObject *name = PyDict_GetItemWithError(attributes, reader->name);
    PyObject *value = PyDict_GetItemWithError(attributes, reader->minimum);
    int is_known = name == NULL ? 1 : PyDict_Contains(reader->by_name, name);
    minimum = value == NULL ? PyTuple_New(0) : minimum_span(value);
    if (is_known < 0 || minimum == NULL || PyErr_Occurred()) {
        goto done;
    }
    if (entity == NULL || is_known || minimum == Py_None) {
        status = BRACKET_IS_UNUSUAL;
        goto done;
    }
    parts = bracket->closes ? Py_BuildValue("[((nn)(nn))]", word, zeros, word + 1, zeros)
                            : PyList_New(0);
    if (parts == NULL) {
        goto done;
    }
    markable = new_instance(reader->markable_type,
                            PyTuple_Pack(6, name, entity, line, minimum, attributes, parts));
    if (markable == NULL || PyList_Append(reader->markables, markable) < 0 ||
        PyDict_SetItem(reader->by_name, name, markable) < 0) {
        goto done;
    }
    if (!bracket->closes &&
        (append_to(reader->positions, name, PyLong_FromSsize_t(PyList_Size(reader->stack))) < 0 ||
         append(reader->stack, Py_BuildValue("O(OO(nn))", name, markable, line, word, zeros)) < 0)) {
        goto done;
    }
    status = BRACKET_IS_READ;
done:
    Py_DECREF(attributes);
    Py_XDECREF(parts);
    Py_XDECREF(minimum);
    Py_XDECREF(markable);
    return status;
}

/* Remove and return the bracket that was opened last, of all or of one name; NULL without an error
 * if there is none. */
static PyObject *
pop_bracket(const MarkableReader *reader, Text text)
{
    Py_ssize_t size = PyList_Size(reader->stack), last;
    if (size == 0) {
        return NULL;
    }
    PyObject *name, *bracket = NULL;
    if (text.size) {
        name = PyUnicode_DecodeUTF8(text.start, text.size, NULL);
    } else {
        name = Py_XNewRef(PyTuple_GetItem(PyList_GetItem(reader->stack, size - 1), 0));
    }
    PyObject *positions = name ? PyDict_GetItemWithError(reader->positions, name) : NULL;
    Py_XDECREF(name);
    if (positions == NULL || (last = PyList_Size(positions) - 1) < 0) {
        return NULL;
    }
    Py_ssize_t position = PyLong_AsSsize_t(PyList_GetItem(positions, last));
    if (PyList_SetSlice(positions, last, last + 1, NULL) < 0) {
        return NULL;
    }
    bracket = Py_XNewRef(PyList_GetItem(reader->stack, position));
    if (position < size - 1) {
        PyList_SetItem(reader->stack, position, Py_NewRef(Py_None));
        return bracket;
    }
    while (position > 0 && PyList_GetItem(reader->stack, position - 1) == Py_None) {
        position--;
    }
    if (PyList_SetSlice(reader->stack, position, size, NULL) < 0) {
        Py_CLEAR(bracket);
    }
    return bracket;
}

static int
close_markable(const MarkableReader *reader, Text name, Py_ssize_t word, Py_ssize_t zeros)
{
    PyObject *bracket = pop_bracket(reader, name);
    if (bracket == NULL) {
        return PyErr_Occurred() ? BRACKET_FAILED : BRACKET_IS_UNUSUAL;
    }
    PyObject *opened = PyTuple_GetItem(bracket, 1), *markable = PyTuple_GetItem(opened, 0);
    int status = append(PyTuple_GetItem(markable, 5),
                        Py_BuildValue("O(nn)", PyTuple_GetItem(opened, 2), word + 1, zeros));
    Py_DECREF(bracket);
    return status < 0 ? BRACKET_FAILED : BRACKET_IS_READ;
}

PyDoc_STRVAR(read_markables_doc,
"read_markables(rows, first, zeros, reader)\n--\n\n"
"Read the brackets in the first cell from a row on; return the row that needs a closer look, and\n"
"the rest of its cell, None if nothing of the row has been read.");

static PyObject *
read_markables(PyObject *module, PyObject *arguments)
{
    PyObject *rows, *keys;
    Py_ssize_t number, zeros;
    MarkableReader reader;
    if (!PyArg_ParseTuple(arguments, "O!nn(O!O!O!O!OO!OOO)", &PyList_Type, &rows, &number, &zeros,
                          &PyList_Type, &reader.markables, &PyDict_Type, &reader.by_name,
                          &PyList_Type, &reader.stack, &PyDict_Type, &reader.positions,
                          &reader.markable_type, &PyDict_Type, &keys, &reader.entity,
                          &reader.name, &reader.minimum) ||
        keys_of(keys, &reader.keys) < 0) {
        return NULL;
    }
    for (; number < PyList_Size(rows); number++) {
        PyObject *row = PyList_GetItem(rows, number), *line = PyTuple_GetItem(row, 0);
        Py_ssize_t word = PyLong_AsSsize_t(PyTuple_GetItem(row, 1));
        int is_usual = 1;
        Text cell;
        for (Py_ssize_t i = PyTuple_Size(row) - 1; i >= 2; i--) {
            cell.start = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(row, i), &cell.size);
            if (cell.start == NULL) {
                return NULL;
            }
            is_usual = is_usual && (i == 2 || equals(cell, "_"));
        }
        if (equals(cell, "_") && is_usual) {
            continue;
        }
        if (!is_usual || cell.size == 0 || !is_plain(cell.start[0]) ||
            !is_plain(cell.start[cell.size - 1])) {
            return Py_BuildValue("nO", number, Py_None);
        }
        const char *position = cell.start, *end = cell.start + cell.size;
        while (position < end) {
            Bracket bracket;
            if (*position == '@') {
                position++;
                continue;
            }
            int status = BRACKET_IS_UNUSUAL;
            if (read_bracket(position, end, '@', &bracket)) {
                status = bracket.opens ? open_markable(&reader, &bracket, line, word, zeros)
                                       : close_markable(&reader, bracket.content, word, zeros);
            }
            if (status == BRACKET_FAILED) {
                return NULL;
            }
            if (status == BRACKET_IS_UNUSUAL) {
                return Py_BuildValue("ns#", number, position, (Py_ssize_t)(end - position));
            }
            position = bracket.end;
        }
    }
    return Py_BuildValue("nO", number, Py_None);
}

/* Make the mention of a markable with one part, without zeros, and with its minimum span inside;
 * return None for others, and for those that are not in an entity or refer to nothing. */
static PyObject *
markable_mention(PyObject *markable, PyObject *mention_type)
{
    PyObject *parts = PyTuple_GetItem(markable, 5), *spans = PyTuple_GetItem(markable, 3);
    Text entity;
    entity.start = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(markable, 1), &entity.size);
    if (entity.start == NULL) {
        return NULL;
    }
    if (PyList_Size(parts) != 1 || entity.size == 0 || ends_with(entity, "Pseudo")) {
        Py_RETURN_NONE;
    }
    PyObject *start, *minimum = NULL, *items;
    Py_ssize_t zeros, end, zeros_at_end, first, last;
    if (!PyArg_ParseTuple(PyList_GetItem(parts, 0), "(On)(nn)", &start, &zeros, &end,
                          &zeros_at_end)) {
        return NULL;
    }
    Py_ssize_t word = PyLong_AsSsize_t(start);
    if (zeros != zeros_at_end || word >= end) {
        Py_RETURN_NONE;
    }
    if (PyTuple_Size(spans)) {
        first = PyLong_AsSsize_t(PyTuple_GetItem(PyTuple_GetItem(spans, 0), 0));
        last = PyLong_AsSsize_t(PyTuple_GetItem(PyTuple_GetItem(spans, 0), 1));
        if (PyErr_Occurred()) {
            /* A file can have numbers of many digits. */
            PyErr_Clear();
            Py_RETURN_NONE;
        }
        if (first < word || end < last) {
            Py_RETURN_NONE;
        }
        minimum = word + 1 < end ? spans : NULL;
    }
    PyObject *words = new_spans(Py_NewRef(start), end), *empty = PyTuple_New(0);
    items = words && empty
                ? PyTuple_Pack(4, words, empty, minimum ? minimum : empty, Py_None) : NULL;
    Py_XDECREF(words);
    Py_XDECREF(empty);
    return new_instance(mention_type, items);
}

PyDoc_STRVAR(group_markables_doc,
"group_markables(markables, first, mentions, entities, mention_type)\n--\n\n"
"Make the mentions of markables from a position on, and add them to a list and to their entities;\n"
"return the position of the markable that needs a closer look.");

static PyObject *
group_markables(PyObject *module, PyObject *arguments)
{
    PyObject *markables, *mentions, *entities, *mention_type;
    Py_ssize_t number;
    if (!PyArg_ParseTuple(arguments, "O!nO!O!O", &PyList_Type, &markables, &number, &PyList_Type,
                          &mentions, &PyDict_Type, &entities, &mention_type)) {
        return NULL;
    }
    for (; number < PyList_Size(markables); number++) {
        PyObject *markable = PyList_GetItem(markables, number);
        PyObject *mention = markable_mention(markable, mention_type);
        if (mention == NULL || mention == Py_None) {
            Py_XDECREF(mention);
            return mention ? PyLong_FromSsize_t(number) : NULL;
        }
        PyObject *name = PyTuple_GetItem(markable, 1);
        PyObject *entity = PyDict_GetItemWithError(entities, name);
        if (entity == NULL && !PyErr_Occurred() && (entity = Py_BuildValue("[][]"))) {
            PyDict_SetItem(entities, name, entity);
            Py_DECREF(entity);
        }
        int status = PyErr_Occurred() ? -1 : PyList_Append(PyTuple_GetItem(entity, 0), mention);
        if (append(mentions, mention) < 0 || status < 0 ||
            PyList_Append(PyTuple_GetItem(entity, 1), PyTuple_GetItem(markable, 4)) < 0) {
            return NULL;
        }
    }
    return PyLong_FromSsize_t(number);
}

static PyMethodDef methods[] = {
    {"scan_conllu", scan_conllu, METH_VARARGS, scan_conllu_doc},
    {"scan_conll2012", scan_conll2012, METH_VARARGS, scan_conll2012_doc},
    {"read_entities", read_entities, METH_VARARGS, read_entities_doc},
    {"new_entities", new_entities, METH_VARARGS, new_entities_doc},
    {"read_clusters", read_clusters, METH_VARARGS, read_clusters_doc},
    {"read_markables", read_markables, METH_VARARGS, read_markables_doc},
    {"group_markables", group_markables, METH_VARARGS, group_markables_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "anascore.formats._scanner", NULL, 0, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC
PyInit__scanner(void)
{
    new_tuple = (newfunc)PyType_GetSlot(&PyTuple_Type, Py_tp_new);
    new_object = (newfunc)PyType_GetSlot(&PyBaseObject_Type, Py_tp_new);
    return PyModuleDef_Init(&definition);
}
