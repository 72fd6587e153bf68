package corfu.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Who may import whom. A module on a floor knows only those below. */
@AnalyzeClasses(packages = "corfu", importOptions = DoNotIncludeTests.class)
class FloorsTest {

  @ArchTest
  static final ArchRule aModuleImportsOnlyFromBelow =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .withOptionalLayers(true)
          .layer("world")
          .definedBy("corfu.world..")
          .layer("protocol")
          .definedBy("corfu.protocol..")
          .layer("transport")
          .definedBy("corfu.transport..")
          .layer("roles")
          .definedBy("corfu.roles..")
          .layer("runtime")
          .definedBy("corfu.runtime..")
          .layer("objects")
          .definedBy("corfu.objects..")
          .layer("sim")
          .definedBy("corfu.sim..")
          .layer("node")
          .definedBy("corfu.node..")
          .layer("bench")
          .definedBy("corfu.bench..")
          .layer("peers")
          .definedBy("corfu.peers..")
          .layer("cli")
          .definedBy("corfu.cli..")
          .whereLayer("world")
          .mayNotAccessAnyLayer()
          .whereLayer("protocol")
          .mayNotAccessAnyLayer()
          .whereLayer("transport")
          .mayOnlyAccessLayers("world", "protocol")
          .whereLayer("roles")
          .mayOnlyAccessLayers("world", "protocol")
          .whereLayer("runtime")
          .mayOnlyAccessLayers("world", "protocol", "transport")
          .whereLayer("objects")
          .mayOnlyAccessLayers("world", "protocol", "runtime")
          .whereLayer("sim")
          .mayOnlyAccessLayers(
              "world", "protocol", "transport", "roles", "runtime", "objects", "node")
          .whereLayer("node")
          .mayOnlyAccessLayers("world", "protocol", "transport", "roles", "runtime", "objects")
          .whereLayer("bench")
          .mayOnlyAccessLayers(
              "world", "protocol", "transport", "roles", "runtime", "objects", "node")
          .whereLayer("peers")
          .mayOnlyAccessLayers("world", "protocol", "roles", "runtime", "node")
          .whereLayer("cli")
          .mayOnlyAccessLayers(
              "world",
              "protocol",
              "transport",
              "roles",
              "runtime",
              "objects",
              "sim",
              "node",
              "bench",
              "peers");

  @ArchTest
  static final ArchRule packagesFormNoCircle =
      slices().matching("corfu.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule theNetworkLibraryStaysInItsRoom =
      noClasses()
          .that()
          .resideOutsideOfPackages("corfu.transport..", "corfu.bench..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.netty..");
}
