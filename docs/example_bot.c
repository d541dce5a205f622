/* A whole bot in C, without any library: plays any game of Sfida, a legal move that the seed picks.
 *
 *     cc -o example_bot docs/example_bot.c
 *     sfida play carcassonne --seat exec:./example_bot --seat random
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Return what follows a JSON text; a quote or a backslash inside it does not end it. */
static const char *after_text(const char *p)
{
    for (p++; *p && *p != '"'; p++)
        if (*p == '\\' && p[1])
            p++;
    return *p ? p + 1 : p;
}

/* Return what follows a JSON value: a text, a number or a word, or a list or an object with all that is in it. */
static const char *after_value(const char *p)
{
    int depth = 0;
    do {
        if (*p == '"') {
            p = after_text(p);
            continue;
        }
        if (*p == '[' || *p == '{')
            depth++;
        else if (*p == ']' || *p == '}')
            depth--;
        else if (!depth) {                      /* a number or a word */
            p += strcspn(p, ",]} \t\r\n");
            continue;
        }
        p++;
    } while (depth > 0 && *p);
    return p;
}

static const char *skip(const char *p, const char *signs)
{
    return p + strspn(p, signs);
}

/* Return where the value of a field of the message begins, "" if there is no such field. */
static const char *field(const char *message, const char *name)
{
    const char *p = skip(message, " \t{");
    while (*p == '"') {
        const char *end = after_text(p), *value = skip(end, " \t:");
        if ((size_t)(end - p) == strlen(name) + 2 && !strncmp(p + 1, name, strlen(name)))
            return value;
        p = skip(after_value(value), " \t,");
    }
    return "";
}

static int is(const char *value, const char *text)
{
    size_t length = strlen(text);
    return *value == '"' && !strncmp(value + 1, text, length) && value[length + 1] == '"';
}

static void choose(const char *message)
{
    const char *first = skip(field(message, "legal_moves"), "[ "), *p;
    unsigned long long number = strtoull(field(message, "id"), NULL, 10);
    unsigned long long seed = strtoull(field(message, "seed"), NULL, 10), moves = 0;

    for (p = first; *p == '"'; p = skip(after_text(p), ", "))
        moves++;
    if (!moves)
        return;                                 /* half a line: Sfida has gone */
    for (p = first, moves = seed % moves; moves > 0; moves--)
        p = skip(after_text(p), ", ");
    printf("{\"type\":\"move\",\"id\":%llu,\"move\":%.*s}\n", number, (int)(after_text(p) - p), p);
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;

    while (getline(&line, &size, stdin) > 0) {
        const char *type = field(line, "type");
        if (is(type, "hello"))
            puts("{\"type\":\"ready\",\"protocol\":1,\"versions\":[1],\"name\":\"example_bot.c\"}");
        else if (is(type, "choose"))
            choose(line);
        else if (is(type, "quit"))
            break;
        fflush(stdout);                         /* what stays in a buffer is never seen */
    }
    free(line);
    return 0;
}
