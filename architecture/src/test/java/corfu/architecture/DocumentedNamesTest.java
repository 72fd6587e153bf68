package corfu.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  /** A class or a nested class, perhaps with a member. */
  private static final Pattern TYPE =
      Pattern.compile(
          "(%s(?:\\.%s)*)(?:\\.(?!java$)\\w+)?(?:\\([^)]*\\))?".formatted(CLASS, CLASS));

  private static final Pattern TEST_NAME = Pattern.compile("\\w+(?:Test|Properties|Conformance)");

  /** A paragraph or a row that says that it is about tests. */
  private static final Pattern ABOUT_TESTS = Pattern.compile("(?i)\\btests?\\b|`proof`");

  /** The paragraphs of a document; each row of a table is one. */
  private static final Pattern BETWEEN_PARAGRAPHS = Pattern.compile("\n(?=\\s*\n|\\|)");

  private static final Pattern MEMBER =
      Pattern.compile("(" + CLASS + ")(?:\\.[A-Z]\\w*)*\\.([a-z]\\w*)(?:\\([^)]*\\))?");

  private final Sources sources = Sources.ofThisRepository();

  @Test
  void aMemberThatADocumentNamesIsInItsClass() throws IOException {
    Map<String, String> classes = sourcesOfClasses();
    var missing = new TreeSet<String>();
    for (Path document : sources.documents()) {
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

  /**
   * A name is known if a type of the shipped code has it, or a class of the JDK. A nested type is
   * named with its outer type, but a message of the protocol also alone. A type of the tests says
   * by its name that it is one, or its paragraph says so.
   */
  @Test
  void aTypeThatADocumentNamesExists() throws IOException {
    Map<String, String> shipped = sourcesByFile(sources.mainJava());
    Map<String, String> all = sourcesByFile(sources.java());
    Set<String> alone = messages();
    alone.addAll(models());
    alone.addAll(classesOfTheJdk());
    var missing = new TreeSet<String>();
    for (Path document : sources.documents()) {
      if (isAboutOtherCodeToo(document)) {
        continue;
      }
      Set<String> here = new TreeSet<>(alone);
      if (sources.nameOf(document).startsWith("spec/")) {
        here.addAll(actionsOfModels());
      }
      for (String paragraph : BETWEEN_PARAGRAPHS.split(Files.readString(document))) {
        boolean isAboutTests = ABOUT_TESTS.matcher(paragraph).find();
        Matcher code = CODE.matcher(paragraph);
        while (code.find()) {
          Matcher type = TYPE.matcher(code.group(1));
          if (type.matches()
              && !here.contains(type.group(1))
              && !isIn(shipped, type.group(1))
              && !(isIn(all, type.group(1))
                  && (isAboutTests || TEST_NAME.matcher(type.group(1)).matches()))) {
            missing.add(sources.nameOf(document) + ": " + code.group(1));
          }
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  /** Decisions also name classes of other systems, and classes that are gone. */
  private boolean isAboutOtherCodeToo(Path document) {
    return sources.nameOf(document).startsWith("docs/decisions/");
  }

  /** Returns whether a file has the outer type's name, and declares each nested type. */
  private static boolean isIn(Map<String, String> files, String type) {
    List<String> names = List.of(type.split("\\."));
    String text = files.get(names.getFirst());
    return text != null
        && names.stream().skip(1).allMatch(nested -> declaredIn(text).contains(nested));
  }

  private static Set<String> declaredIn(String text) {
    Set<String> names = new TreeSet<>();
    Matcher declarations = DECLARATION.matcher(text);
    while (declarations.find()) {
      names.add(declarations.group(1));
    }
    return names;
  }

  /** Returns the sources by the names of their files, which are the top-level types. */
  private static Map<String, String> sourcesByFile(List<Path> files) throws IOException {
    Map<String, String> byName = new TreeMap<>();
    for (Path file : files) {
      String name = file.getFileName().toString().replace(".java", "");
      byName.merge(name, Files.readString(file), String::concat);
    }
    return byName;
  }

  /** The messages of the protocol, which are nested in the kinds of messages. */
  private Set<String> messages() throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path file : sources.mainJava()) {
      if (sources.nameOf(file).contains("corfu/protocol/message/")) {
        names.addAll(declaredIn(Files.readString(file)));
      }
    }
    return names;
  }

  private static Set<String> classesOfTheJdk() throws IOException {
    Set<String> names = new TreeSet<>();
    try (var files = Files.walk(Path.of(URI.create("jrt:/java.base/java")))) {
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".class") && !name.contains("$"))
          .forEach(name -> names.add(name.replace(".class", "")));
    }
    return names;
  }

  private Set<String> models() throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path file : tla()) {
      names.add(file.getFileName().toString().replace(".tla", ""));
    }
    return names;
  }

  private Set<String> actionsOfModels() throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path file : tla()) {
      Matcher words = CLASS.matcher(Files.readString(file));
      while (words.find()) {
        names.add(words.group());
      }
    }
    return names;
  }

  private List<Path> tla() throws IOException {
    return sources.all().stream().filter(file -> file.toString().endsWith(".tla")).toList();
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
}
