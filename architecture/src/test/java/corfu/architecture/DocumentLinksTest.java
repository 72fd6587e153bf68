package corfu.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Links of documents lead to files of the repository, and to headings in them. */
class DocumentLinksTest {

  private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```$");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");
  private static final Pattern ID = Pattern.compile("<a id=\"([^\"]+)\">");

  private final Sources sources = Sources.ofThisRepository();

  @Test
  void aLinkLeadsToAFileAndItsAnchorToAHeading() throws IOException {
    var broken = new TreeSet<String>();
    for (Path document : sources.documents()) {
      Matcher link = LINK.matcher(textOf(document));
      while (link.find()) {
        if (!link.group(1).contains("://") && !leadsSomewhere(document, link.group(1))) {
          broken.add(sources.nameOf(document) + ": " + link.group(1));
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void anAnchorIsComputedFromTheTextOfItsHeading() {
    assertThat(anchorsOf("## Beside CorfuDB: `./corfu bench maps`\n\n<a id=\"other\"></a>\n"))
        .containsExactlyInAnyOrder("beside-corfudb-corfu-bench-maps", "other");
    assertThat(anchorsOf("# Twice\n# Twice\n")).containsExactlyInAnyOrder("twice", "twice-1");
  }

  private static boolean leadsSomewhere(Path document, String link) throws IOException {
    int hash = link.indexOf('#');
    String name = hash < 0 ? link : link.substring(0, hash);
    Path target = name.isEmpty() ? document : document.resolveSibling(name).normalize();
    return Files.exists(target)
        && (hash < 0 || anchorsOf(textOf(target)).contains(link.substring(hash + 1)));
  }

  /** Returns the text without its blocks of code. */
  private static String textOf(Path document) throws IOException {
    return FENCED.matcher(Files.readString(document)).replaceAll("");
  }

  /**
   * Returns the anchors of a text: the words of each heading in lower case, with hyphens between
   * them and without punctuation. An equal heading further down gets a number.
   */
  private static Set<String> anchorsOf(String text) {
    var anchors = new HashSet<String>();
    Matcher heading = HEADING.matcher(text);
    while (heading.find()) {
      String anchor =
          heading
              .group(1)
              .strip()
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-');
      String free = anchor;
      for (int i = 1; !anchors.add(free); i++) {
        free = anchor + "-" + i;
      }
    }
    Matcher id = ID.matcher(text);
    while (id.find()) {
      anchors.add(id.group(1));
    }
    return anchors;
  }
}
