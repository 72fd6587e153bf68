package corfu.zookeeper.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Two transcripts of one program that are not equal.
 *
 * @param seed the seed of the program before it was shortened
 * @param program the program
 * @param first the transcript of the first service
 * @param second the transcript of the second service
 */
record Difference(long seed, Program program, List<String> first, List<String> second) {

  private static final int LINES_AFTER = 3;

  /** The rank of a zxid. A difference in a late line may change the ranks in all earlier ones. */
  private static final Pattern RANK = Pattern.compile("(@|\\bz)\\d+");

  /** Returns the index of the first line that differs, in more than a rank if there is one. */
  int line() {
    int line = firstDifference(text -> RANK.matcher(text).replaceAll("$1"));
    return line < Math.max(first.size(), second.size())
        ? line
        : firstDifference(UnaryOperator.identity());
  }

  private int firstDifference(UnaryOperator<String> part) {
    int line = 0;
    while (line < first.size()
        && line < second.size()
        && part.apply(first.get(line)).equals(part.apply(second.get(line)))) {
      line++;
    }
    return line;
  }

  /** Returns the seed, the program, and both transcripts up to the difference. */
  @Override
  public String toString() {
    List<String> text = new ArrayList<>();
    text.add("The services differ. Seed %d, shortened program:".formatted(seed));
    text.add(program.toString());
    text.add("Transcripts, the first service's lines with '1', the second's with '2':");
    int end = Math.min(line() + LINES_AFTER, Math.max(first.size(), second.size()));
    for (int i = 0; i < end; i++) {
      String one = i < first.size() ? first.get(i) : "(end)";
      String two = i < second.size() ? second.get(i) : "(end)";
      if (one.equals(two)) {
        text.add("      " + one);
      } else {
        text.add(" 1 >> " + one);
        text.add(" 2 >> " + two);
      }
    }
    return String.join("\n", text);
  }
}
