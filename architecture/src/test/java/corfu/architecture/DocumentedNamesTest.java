package corfu.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Documents name classes and methods that exist. */
class DocumentedNamesTest {

  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
  private static final Pattern DECLARATION =
      Pattern.compile("\\b(?:class|interface|record|enum)\\s+([A-Z]\\w*)");

  /** A class, perhaps with a member. Words in capitals are messages and constants. */
  private static final Pattern CLASS = Pattern.compile("[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*");

  private static final Pattern MEMBER =
      Pattern.compile("(" + CLASS + ")(?:\\.[A-Z]\\w*)*\\.([a-z]\\w*)(?:\\([^)]*\\))?");

  private final Sources sources = Sources.ofThisRepository();

  @Test
  void aMemberThatADocumentNamesIsInItsClass() throws IOException {
    Map<String, String> classes = sourcesOfClasses();
    var missing = new TreeSet<String>();
    for (Path document : documents()) {
      Matcher code = CODE.matcher(Files.readString(document));
      while (code.find()) {
        Matcher member = MEMBER.matcher(code.group(1));
        if (member.matches() && classes.containsKey(member.group(1))) {
          String source = classes.get(member.group(1));
          if (!Pattern.compile("\\b" + member.group(2) + "\\b").matcher(source).find()) {
            missing.add(sources.nameOf(document) + ": " + code.group(1));
          }
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void aClassThatTheMapNamesExists() throws IOException {
    Set<String> classes = new TreeSet<>(sourcesOfClasses().keySet());
    classes.addAll(namesInModels());
    var missing = new TreeSet<String>();
    for (Path document : documents()) {
      if (isMap(document)) {
        Matcher code = CODE.matcher(Files.readString(document));
        while (code.find()) {
          String name = code.group(1).replaceFirst("[.(].*", "");
          if (CLASS.matcher(name).matches() && humps(name) > 1 && !classes.contains(name)) {
            missing.add(sources.nameOf(document) + ": " + name);
          }
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  /** Other documents also name classes of the JDK, of other systems and of examples. */
  private boolean isMap(Path document) {
    String name = sources.nameOf(document);
    return Set.of("ARCHITECTURE.md", "CONTRIBUTING.md", "docs/glossary.md", "spec/README.md")
        .contains(name);
  }

  private static long humps(String name) {
    return name.chars().filter(Character::isUpperCase).count();
  }

  /** The models of spec/, and the actions in them. */
  private Set<String> namesInModels() throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path file : sources.all()) {
      String name = file.getFileName().toString();
      if (name.endsWith(".tla")) {
        names.add(name.replace(".tla", ""));
        Matcher words = CLASS.matcher(Files.readString(file));
        while (words.find()) {
          names.add(words.group());
        }
      }
    }
    return names;
  }

  private Map<String, String> sourcesOfClasses() throws IOException {
    Map<String, String> classes = new TreeMap<>();
    for (Path file : sources.java()) {
      String text = Files.readString(file);
      Matcher declarations = DECLARATION.matcher(text);
      while (declarations.find()) {
        classes.merge(declarations.group(1), text, String::concat);
      }
    }
    return classes;
  }

  private Iterable<Path> documents() throws IOException {
    var documents = new ArrayList<Path>();
    for (Path file : sources.all()) {
      if (file.toString().endsWith(".md") && !file.endsWith("CHANGELOG.md")) {
        documents.add(file);
      }
    }
    return documents;
  }
}
