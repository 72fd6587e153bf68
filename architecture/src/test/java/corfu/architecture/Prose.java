package corfu.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds sentences in documents and in comments. */
final class Prose {

  private static final int WORDS_OF_A_SENTENCE = 35;

  private static final Pattern END_OF_SENTENCE =
      Pattern.compile("(?<=[.!?])[\"”)*_`]*\\s+(?=[A-Z`\"“(*{\\[])");
  private static final Pattern NO_SUBJECT =
      Pattern.compile("[(\"*_\\s]*(What|Who|Whoever|Whatever)\\b.*", Pattern.DOTALL);
  private static final Pattern ITEM = Pattern.compile("([-*]|\\d+\\.)\\s+(.*)");
  private static final Pattern COMMENT =
      Pattern.compile(
          "/\\*\\*?(?<block>.*?)\\*/|(?<lines>(?:^[ \\t]*//[^\\n]*\\n)+)|(?<line>//[^\\n]*)",
          Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern PARAGRAPH =
      Pattern.compile("\\n\\s*\\n|</?(?:p|li|ul|ol)>|^\\s*@\\w+", Pattern.MULTILINE);
  private static final Pattern INLINE_TAG =
      Pattern.compile("\\{@(?:link|code|linkplain|value|literal)\\s+(?:[^}#]*#)?([^}]*)\\}");

  private Prose() {}

  /**
   * Text without a break.
   *
   * @param line its first line in the file, from 1
   */
  record Paragraph(int line, String text) {

    List<String> problems() {
      var problems = new ArrayList<String>();
      for (String sentence : END_OF_SENTENCE.split(text)) {
        long words = Pattern.compile("\\s+").splitAsStream(sentence).filter(Prose::isWord).count();
        if (words > WORDS_OF_A_SENTENCE) {
          problems.add("%d words: %s".formatted(words, sentence));
        }
        Matcher opening = NO_SUBJECT.matcher(sentence);
        if (opening.matches() && !sentence.strip().replaceAll("[\"*_)]+$", "").endsWith("?")) {
          problems.add("opens with %s: %s".formatted(opening.group(1), sentence));
        }
      }
      return problems;
    }
  }

  private static boolean isWord(String text) {
    return text.codePoints().anyMatch(Character::isLetterOrDigit);
  }

  static List<Paragraph> ofMarkdown(String text) {
    var paragraphs = new ArrayList<Paragraph>();
    var open = new StringBuilder();
    int start = 0;
    int number = 0;
    boolean isCode = false;
    for (String line : text.lines().toList()) {
      number++;
      String words = line.strip();
      Matcher item = ITEM.matcher(words);
      boolean isFence = words.startsWith("```");
      boolean isIndentedCode = line.startsWith("    ") && open.isEmpty();
      boolean isProse =
          !(isFence || isCode || words.isEmpty() || isIndentedCode)
              && !words.startsWith("|")
              && !words.startsWith("<!--");
      isCode ^= isFence;
      if (!isProse || words.startsWith("#") || words.startsWith("![") || item.matches()) {
        end(paragraphs, start, open);
      }
      if (words.startsWith("#") && isProse) {
        paragraphs.add(new Paragraph(number, words.replaceFirst("^#+\\s*", "")));
      } else if (isProse) {
        start = open.isEmpty() ? number : start;
        open.append(item.matches() ? item.group(2) : words).append(' ');
      }
    }
    end(paragraphs, start, open);
    return paragraphs;
  }

  private static void end(List<Paragraph> paragraphs, int line, StringBuilder open) {
    if (!open.isEmpty()) {
      paragraphs.add(new Paragraph(line, open.toString()));
      open.setLength(0);
    }
  }

  static List<Paragraph> ofComments(String source) {
    var paragraphs = new ArrayList<Paragraph>();
    Matcher comments = COMMENT.matcher(source);
    while (comments.find()) {
      int line =
          1 + (int) source.substring(0, comments.start()).chars().filter(c -> c == '\n').count();
      for (String paragraph : PARAGRAPH.split(textOf(source, comments))) {
        String words = paragraph.replaceAll("\\s+", " ").strip();
        if (!words.isEmpty()) {
          Matcher tags = INLINE_TAG.matcher(words);
          paragraphs.add(
              new Paragraph(
                  line,
                  tags.replaceAll(
                      tag ->
                          tag.group(1)
                              .strip()
                              .replace(' ', '_')
                              .replace("\\", "\\\\")
                              .replace("$", "\\$"))));
        }
      }
    }
    return paragraphs;
  }

  private static String textOf(String source, Matcher comment) {
    if (comment.group("block") != null) {
      return comment
          .group("block")
          .replaceAll("(?m)^[ \\t]*\\* ?", "")
          .replaceAll("(?s)<pre>.*?</pre>", "");
    }
    if (comment.group("lines") != null) {
      return comment.group("lines").replaceAll("(?m)^[ \\t]*//+ ?", "");
    }
    String before =
        source.substring(source.lastIndexOf('\n', comment.start()) + 1, comment.start());
    // A double slash behind a quote is most likely in a string.
    return before.contains("\"") ? "" : comment.group("line").replaceFirst("//+ ?", "");
  }
}
