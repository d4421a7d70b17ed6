// Prints what RE2 takes for the patterns of Matching.swift as JSON, for the table of the other program.

#include <re2/re2.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

// Nanoseconds for which this thread had a processor.
static double now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static double timed(const std::function<bool()> &run, long count) {
    double start = now();
    for (long index = 0; index < count; index++) {
        volatile bool result = run();
        (void)result;
    }
    return now() - start;
}

// 31 rounds of about two milliseconds each, as `measure` does.
static std::string measured(const char *name, const char *unit, double length,
                            const std::function<bool()> &run) {
    long count = 1;
    while (count < 10'000'000 && timed(run, count) < 2e6) count *= 2;
    std::vector<double> samples;
    for (int round = 0; round < 31; round++) samples.push_back(timed(run, count) / count / length);
    std::sort(samples.begin(), samples.end());
    char figure[256];
    snprintf(figure, sizeof figure,
             "{\"name\":\"%s\",\"unit\":\"%s\",\"median\":%g,\"p90\":%g,\"iterations\":%ld}", name,
             unit, samples[15], samples[27], count * 31);
    return figure;
}

int main() {
    const std::string simple = "^[a-z0-9.]+@[a-z]+\\.(com|org)$";
    const std::string address = "anna.b42@example.org";
    const std::string nested = "(a+)+$";
    const std::string letters = std::string(18, 'a') + "!";
    RE2 simpleExpression(simple), nestedExpression(nested);
    std::vector<std::string> figures = {
        measured("matches: RE2", "ns", 1,
                 [&] { return RE2::PartialMatch(address, simpleExpression); }),
        measured("matches, nested repetition: RE2", "ns", 1,
                 [&] { return RE2::PartialMatch(letters, nestedExpression); }),
        measured("compile a pattern: RE2", "µs", 1e3, [&] { return RE2(simple).ok(); }),
    };
    std::string output;
    for (const std::string &figure : figures) output += (output.empty() ? "[" : ",") + figure;
    printf("%s]\n", output.c_str());
}
