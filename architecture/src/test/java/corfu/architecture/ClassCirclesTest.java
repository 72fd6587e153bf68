package corfu.architecture;

import static java.util.Map.entry;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Bounds circles of classes inside a package: strongly connected components of the graph of its
 * top-level classes. Sealed types and their permitted classes always form circles.
 */
class ClassCirclesTest {

  /** A circle of so many classes is fine anywhere: two that belong together. */
  private static final int SMALL = 2;

  /** The size of each package's largest circle. Entries shrink and go; none is added. */
  private static final Map<String, Integer> LARGEST =
      Map.ofEntries(
          entry("corfu.cli.cluster", 4),
          entry("corfu.node", 3),
          entry("corfu.objects", 4),
          entry("corfu.objects.collection", 21),
          entry("corfu.objects.composed", 4),
          entry("corfu.objects.serial", 7),
          entry("corfu.protocol.layout", 3),
          entry("corfu.protocol.wire", 7),
          entry("corfu.sim.world", 6),
          entry("corfu.transport.inprocess", 6),
          entry("corfu.transport.tcp", 4));

  @Test
  void circlesOfClassesAreSmall() {
    var tooLarge = new ArrayList<String>();
    largestCircles()
        .forEach(
            (name, circle) -> {
              int bound = LARGEST.getOrDefault(name, SMALL);
              if (circle.size() > bound) {
                tooLarge.add("%s, %d (bound %d): %s".formatted(name, circle.size(), bound, circle));
              }
            });
    assertThat(tooLarge).as("cut these circles").isEmpty();
  }

  @Test
  void theBoundOfAPackageIsItsLargestCircle() {
    Map<String, Set<String>> largest = largestCircles();
    var tooHigh = new ArrayList<String>();
    LARGEST.forEach(
        (name, bound) -> {
          int size = largest.getOrDefault(name, Set.of()).size();
          if (size < bound) {
            tooHigh.add("%s has a circle of %d, its bound is %d".formatted(name, size, bound));
          }
        });
    assertThat(tooHigh).as("lower these bounds, or remove them").isEmpty();
  }

  private static Map<String, Set<String>> largestCircles() {
    JavaClasses all =
        new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages("corfu");
    Map<String, List<JavaClass>> byPackage =
        all.stream().collect(groupingBy(JavaClass::getPackageName, TreeMap::new, toList()));
    Map<String, Set<String>> largest = new TreeMap<>();
    byPackage.forEach(
        (name, classes) -> largest.put(name, new Components(graph(name, classes)).largest()));
    return largest;
  }

  /** Which top-level class of the package uses which others of it. */
  private static Map<String, Set<String>> graph(String name, List<JavaClass> classes) {
    Map<String, Set<String>> graph = new TreeMap<>();
    for (JavaClass origin : classes) {
      Set<String> uses = graph.computeIfAbsent(topLevel(origin), key -> new TreeSet<>());
      for (Dependency use : origin.getDirectDependenciesFromSelf()) {
        JavaClass target = use.getTargetClass().getBaseComponentType();
        if (target.getPackageName().equals(name) && !topLevel(target).equals(topLevel(origin))) {
          uses.add(topLevel(target));
        }
      }
    }
    return graph;
  }

  private static String topLevel(JavaClass one) {
    String simple = one.getName().substring(one.getPackageName().length() + 1);
    int nested = simple.indexOf('$');
    return nested < 0 ? simple : simple.substring(0, nested);
  }

  /** Tarjan's strongly connected components of a small graph. */
  private static final class Components {
    private final Map<String, Set<String>> graph;
    private final Map<String, Integer> index = new HashMap<>();
    private final Map<String, Integer> low = new HashMap<>();
    private final Deque<String> stack = new ArrayDeque<>();
    private Set<String> largest = Set.of();

    Components(Map<String, Set<String>> graph) {
      this.graph = graph;
    }

    /** Returns the largest component. */
    Set<String> largest() {
      for (String node : graph.keySet()) {
        if (!index.containsKey(node)) {
          visit(node);
        }
      }
      return largest;
    }

    private void visit(String node) {
      int mine = index.size();
      index.put(node, mine);
      low.put(node, mine);
      stack.push(node);
      for (String next : graph.getOrDefault(node, Set.of())) {
        if (!index.containsKey(next)) {
          visit(next);
          low.merge(node, low.getOrDefault(next, mine), Math::min);
        } else if (stack.contains(next)) {
          low.merge(node, index.getOrDefault(next, mine), Math::min);
        }
      }
      if (low.getOrDefault(node, mine) == mine) {
        Set<String> component = new TreeSet<>();
        while (!component.contains(node)) {
          component.add(stack.pop());
        }
        largest = component.size() > largest.size() ? component : largest;
      }
    }
  }
}
