package corfu.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A module's {@code internal} packages are its own: classes of other modules do not use them. A
 * module is named by the package behind {@code corfu}.
 */
class InternalPackagesTest {

  private static final Pattern INTERNAL =
      Pattern.compile("corfu\\.(\\w+)(\\..+)?\\.internal(\\..+)?");

  /**
   * Modules whose classes may use internal packages of another one, as "user -> owner", each with
   * the reason. Entries that nobody needs any more go.
   */
  private static final Map<String, String> EXCEPTIONS =
      Map.of("sim -> transport", "the simulated transport bounds requests as the real one does");

  private static final JavaClasses CLASSES =
      new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages("corfu");

  @Test
  void internalPackagesAreUsedByTheirOwnModule() {
    var uses = new TreeSet<String>();
    for (JavaClass origin : CLASSES) {
      for (Dependency use : origin.getDirectDependenciesFromSelf()) {
        String edge = edge(use);
        if (!edge.isEmpty() && !EXCEPTIONS.containsKey(edge)) {
          uses.add(edge + ": " + use.getDescription());
        }
      }
    }
    assertThat(uses).as("use what the other module's public packages offer").isEmpty();
  }

  @Test
  void everyExceptionIsNeeded() {
    var needed = new TreeSet<String>();
    for (JavaClass origin : CLASSES) {
      origin.getDirectDependenciesFromSelf().forEach(use -> needed.add(edge(use)));
    }
    assertThat(needed).containsAll(EXCEPTIONS.keySet());
  }

  @Test
  void someModuleHasInternalPackages() {
    assertThat(CLASSES).anyMatch(one -> INTERNAL.matcher(one.getPackageName()).matches());
  }

  /** "user -> owner" if one module uses an internal package of another one; empty if not. */
  private static String edge(Dependency use) {
    Matcher internal = INTERNAL.matcher(use.getTargetClass().getPackageName());
    if (!internal.matches()) {
      return "";
    }
    String owner = internal.group(1);
    String user = moduleOf(use.getOriginClass());
    return user.equals(owner) ? "" : user + " -> " + owner;
  }

  private static String moduleOf(JavaClass one) {
    String[] parts = one.getPackageName().split("\\.");
    return parts.length > 1 ? parts[1] : "";
  }
}
