package corfu.museum;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Failures of other systems, planted in Corfu: each is caught by the test, or the simulations, that
 * its exhibit names.
 */
class BugMuseumTest {

  private static final Path ROOT = Path.of("..");
  private static final Path EXHIBITS = Path.of("src/test/resources/corfu/museum");
  private static final Path CATALOGUE = ROOT.resolve("docs/bug-museum.md");

  @TempDir Path compiled;

  static List<Exhibit> exhibits() {
    return Exhibit.in(EXHIBITS);
  }

  @ParameterizedTest
  @MethodSource("exhibits")
  void aPlantedBugIsCaught(Exhibit exhibit) throws Exception {
    Mutant mutant = new Mutant(exhibit.source(), exhibit.mutated(ROOT), compiled);

    switch (exhibit.proof()) {
      case Exhibit.Proof.Test(String name, String method) -> {
        TestExecutionSummary outcome = run(mutant, mutant.loadClass(name), method);
        assertThat(outcome.getTestsFoundCount()).as("tests called " + method).isPositive();
        assertThat(outcome.getTestsFailedCount())
            .as("failures of %s#%s, though %s", name, method, exhibit.what())
            .isPositive();
      }
      case Exhibit.Proof.Seeds(int most, String workAndPlan) -> {
        OptionalInt found = hunt(mutant, most, workAndPlan);
        assertThat(found).as("a seed up to %d that sees that %s", most, exhibit.what()).isPresent();
        System.out.printf("%s: seed %d%n", exhibit, found.getAsInt());
      }
    }
  }

  private static TestExecutionSummary run(Mutant mutant, Class<?> test, String method) {
    Thread thread = Thread.currentThread();
    ClassLoader usual = thread.getContextClassLoader();
    thread.setContextClassLoader(mutant);
    try {
      var summary = new SummaryGeneratingListener();
      var request =
          LauncherDiscoveryRequestBuilder.request()
              .selectors(DiscoverySelectors.selectMethod(test, method))
              .build();
      LauncherFactory.create().execute(request, summary);
      return summary.getSummary();
    } finally {
      thread.setContextClassLoader(usual);
    }
  }

  @SuppressWarnings("unchecked")
  private static OptionalInt hunt(Mutant mutant, int most, String workAndPlan) throws Exception {
    var hunt =
        (BiFunction<Integer, String, OptionalInt>)
            mutant.loadClass(SeedHunt.class.getName()).getConstructor().newInstance();
    return hunt.apply(most, workAndPlan);
  }

  /** Fails sooner than all the others if the code around a planted bug has changed. */
  @Test
  void everyBugHasItsPlace() throws IOException {
    assertThat(exhibits())
        .allSatisfy(exhibit -> assertThat(exhibit.mutated(ROOT)).contains(exhibit.planted()));
  }

  @Test
  void theCatalogueNamesEveryExhibit() throws IOException {
    String catalogue = Files.readString(CATALOGUE);

    assertThat(exhibits()).isNotEmpty().allMatch(exhibit -> catalogue.contains(exhibit.name()));
  }
}
