package corfu.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/packages.md} lists every package with the first sentence of its package-info. Run
 * this test with {@code -Dcorfu.update=true} to write the page.
 */
class PackagesPageTest {

  private static final String PAGE = "docs/packages.md";
  private static final Pattern MODULE =
      Pattern.compile("(.*)/src/main/java/(.*)/package-info.java");
  private static final Pattern COMMENT = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
  private static final Pattern TAG = Pattern.compile("\\{@(?:link|code)\\s+([^}]*)\\}");

  private final Sources sources = Sources.ofThisRepository();

  @Test
  void thePageListsEveryPackageWithItsPurpose() throws IOException {
    Path page = sources.root().resolve(PAGE);
    if (Boolean.getBoolean("corfu.update")) {
      Files.writeString(page, pageOfPackages());
    }
    assertThat(Files.readString(page))
        .as(
            "to write the page: mvn -pl architecture -am test -Dtest=PackagesPageTest"
                + " -Dcorfu.update=true")
        .isEqualTo(pageOfPackages());
  }

  private String pageOfPackages() throws IOException {
    var page = new StringBuilder("# Packages\n\nThe first sentence of each `package-info.java`.\n");
    purposesByModule()
        .forEach(
            (module, purposes) -> {
              page.append("\n## ").append(module).append("\n\n| package | purpose |\n|---|---|\n");
              purposes.forEach(
                  (name, purpose) -> page.append("| `%s` | %s |%n".formatted(name, purpose)));
            });
    return page.toString();
  }

  private Map<String, Map<String, String>> purposesByModule() throws IOException {
    List<Path> files = sources.mainJava();
    Map<String, Map<String, String>> purposes = new TreeMap<>();
    for (Path file : files) {
      Matcher module = MODULE.matcher(sources.nameOf(file));
      if (module.matches()) {
        purposes
            .computeIfAbsent(module.group(1), none -> new TreeMap<>())
            .put(module.group(2).replace('/', '.'), firstSentence(Files.readString(file)));
      }
    }
    return purposes;
  }

  private static String firstSentence(String packageInfo) {
    Matcher comment = COMMENT.matcher(packageInfo);
    if (!comment.find()) {
      return "";
    }
    String text = comment.group(1).replaceAll("(?m)^\\s*\\*", " ").replaceAll("\\s+", " ").strip();
    String sentence = text.replaceFirst("(?s)(?<=[.:])\\s+(?=[A-Z<{]).*", "");
    return TAG.matcher(sentence)
        .replaceAll(tag -> "`" + tag.group(1).replaceFirst(".*[.#](?=\\w)", "") + "`");
  }
}
