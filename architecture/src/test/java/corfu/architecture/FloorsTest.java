package corfu.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which modules may import which. A module depends only on modules below it. */
@AnalyzeClasses(packages = "corfu", importOptions = DoNotIncludeTests.class)
class FloorsTest {

  @ArchTest
  static final ArchRule aModuleImportsOnlyFromBelow =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .withOptionalLayers(true)
          .layer("world")
          .definedBy("corfu.world..")
          .layer("pki")
          .definedBy("corfu.pki..")
          .layer("protocol")
          .definedBy("corfu.protocol..")
          .layer("transport")
          .definedBy("corfu.transport..")
          .layer("access")
          .definedBy("corfu.access..")
          .layer("roles")
          .definedBy("corfu.roles..")
          .layer("runtime")
          .definedBy("corfu.runtime..")
          .layer("objects")
          .definedBy(
              resideInAPackage("corfu.objects..")
                  .and(resideOutsideOfPackage("corfu.objects.processor..")))
          .layer("objects-processor")
          .definedBy("corfu.objects.processor..")
          .layer("sim")
          .definedBy("corfu.sim..")
          .layer("node")
          .definedBy("corfu.node..")
          .layer("fuse")
          .definedBy("corfu.fuse..")
          .layer("smr")
          .definedBy("corfu.smr..")
          .layer("bytes")
          .definedBy("corfu.bytes..")
          .layer("silver")
          .definedBy("corfu.silver..")
          .layer("nbd")
          .definedBy("corfu.nbd..")
          .layer("disk")
          .definedBy("corfu.disk..")
          .layer("store")
          .definedBy("corfu.store..")
          .layer("mirror")
          .definedBy("corfu.mirror..")
          .layer("zookeeper")
          .definedBy("corfu.zookeeper..")
          .layer("ycsb")
          .definedBy("corfu.ycsb..")
          .layer("bench")
          .definedBy("corfu.bench..")
          .layer("peers")
          .definedBy("corfu.peers..")
          .layer("cli")
          .definedBy("corfu.cli..")
          .whereLayer("world")
          .mayNotAccessAnyLayer()
          .whereLayer("pki")
          .mayOnlyAccessLayers("world")
          .whereLayer("protocol")
          .mayNotAccessAnyLayer()
          .whereLayer("transport")
          .mayOnlyAccessLayers("world", "protocol")
          .whereLayer("access")
          .mayOnlyAccessLayers("protocol")
          .whereLayer("roles")
          .mayOnlyAccessLayers("world", "protocol")
          .whereLayer("runtime")
          .mayOnlyAccessLayers("world", "protocol", "transport", "access")
          .whereLayer("objects")
          .mayOnlyAccessLayers("world", "protocol", "runtime")
          .whereLayer("objects-processor")
          .mayOnlyAccessLayers("objects")
          .whereLayer("objects-processor")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("sim")
          .mayOnlyAccessLayers(
              "world", "protocol", "transport", "roles", "runtime", "objects", "node")
          .whereLayer("node")
          .mayOnlyAccessLayers(
              "world", "pki", "protocol", "transport", "access", "roles", "runtime", "objects")
          .whereLayer("fuse")
          .mayOnlyAccessLayers("world")
          .whereLayer("smr")
          .mayOnlyAccessLayers("world", "protocol", "runtime")
          .whereLayer("bytes")
          .mayOnlyAccessLayers("world", "protocol", "runtime")
          .whereLayer("silver")
          .mayOnlyAccessLayers("world", "protocol", "runtime", "smr", "bytes", "fuse")
          .whereLayer("nbd")
          .mayOnlyAccessLayers("world")
          .whereLayer("disk")
          .mayOnlyAccessLayers("world", "protocol", "runtime", "objects", "bytes", "nbd")
          .whereLayer("store")
          .mayOnlyAccessLayers("world", "pki", "protocol", "transport", "access", "runtime", "smr")
          .whereLayer("mirror")
          .mayOnlyAccessLayers("world", "protocol", "runtime")
          .whereLayer("zookeeper")
          .mayOnlyAccessLayers("world", "protocol", "runtime", "smr")
          .whereLayer("ycsb")
          .mayOnlyAccessLayers("protocol", "transport", "runtime", "store")
          .whereLayer("bench")
          .mayOnlyAccessLayers(
              "world",
              "pki",
              "protocol",
              "transport",
              "access",
              "roles",
              "runtime",
              "objects",
              "node",
              "smr",
              "store",
              "mirror",
              "fuse",
              "silver",
              "nbd",
              "disk")
          .whereLayer("peers")
          .mayOnlyAccessLayers("world", "protocol", "roles", "runtime", "objects", "node", "ycsb")
          .whereLayer("cli")
          .mayOnlyAccessLayers(
              "world",
              "pki",
              "protocol",
              "access",
              "transport",
              "roles",
              "runtime",
              "objects",
              "sim",
              "node",
              "smr",
              "store",
              "mirror",
              "zookeeper",
              "silver",
              "fuse",
              "nbd",
              "disk",
              "bench",
              "peers");

  /**
   * A compiler plug-in's dependencies must be on the compiler's path, so its part of objects has
   * none.
   */
  @ArchTest
  static final ArchRule theRulesOfObjectsNeedNothingButTheJdk =
      noClasses()
          .that()
          .resideInAnyPackage("corfu.objects.rule..", "corfu.objects.annotation..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("corfu..")
                  .and(
                      resideOutsideOfPackages(
                          "corfu.objects.rule..",
                          "corfu.objects.type..",
                          "corfu.objects.annotation..")));

  /** Public within the log unit. Its exception is for others, and bench measures its page map. */
  @ArchTest
  static final ArchRule theInnerPackagesOfALogUnitAreItsOwn =
      noClasses()
          .that()
          .resideOutsideOfPackage("corfu.roles.logunit..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("corfu.roles.logunit.*..")
                  .and(resideOutsideOfPackage("corfu.roles.logunit.options"))
                  .and(not(nameMatching("corfu\\.roles\\.logunit\\.pagemap\\.PageMap")))
                  .and(not(nameMatching(".*DamagedStorageException"))));

  /**
   * Object types of simulated clients. Checkpoints contain their names, so a move would change the
   * traces of seeds. They stay in the simulator's root package, although packages below use them.
   */
  private static final DescribedPredicate<JavaClass> TYPES_WITH_FIXED_NAMES =
      nameMatching("corfu\\.sim\\.(Cell|ListStore|Shelf)(\\$.*)?")
          .as("types with fixed names")
          .forSubtype();

  /**
   * The entry point of the client. It alone of its package assembles the internal classes, and
   * these use the other types of the package: the log, its entries, options and exceptions.
   */
  private static final DescribedPredicate<JavaClass> CLIENT =
      nameMatching("corfu\\.runtime\\.Corfu").as("the client's entry point").forSubtype();

  /** Values of this class are in logs and messages, by its name. */
  private static final DescribedPredicate<JavaClass> ENTRY_WITH_FIXED_NAME =
      nameMatching("corfu\\.objects\\.collection\\.FixedEntry")
          .as("an entry with a fixed name")
          .forSubtype();

  @ArchTest
  static final ArchRule packagesFormNoCircle =
      slices()
          .assignedFrom(new PackagesAndEntryPoints())
          .should()
          .beFreeOfCycles()
          .ignoreDependency(resideInAPackage("corfu.sim.."), TYPES_WITH_FIXED_NAMES)
          .ignoreDependency(CLIENT, resideInAPackage("corfu.runtime.internal.."))
          .ignoreDependency(resideInAPackage("corfu.objects.."), ENTRY_WITH_FIXED_NAME);

  /** So {@code Corfu}, which assembles the client, is part of no circle between classes. */
  @ArchTest
  static final ArchRule theInternalsOfTheClientDoNotUseItsEntryPoint =
      noClasses()
          .that()
          .resideInAPackage("corfu.runtime.internal..")
          .should()
          .dependOnClassesThat(CLIENT);

  /** So it is part of no circle between classes. */
  @ArchTest
  static final ArchRule theEntryWithAFixedNameUsesNothingOfItsPackage =
      noClasses()
          .that(ENTRY_WITH_FIXED_NAME)
          .should()
          .dependOnClassesThat(
              resideInAPackage("corfu.objects.collection..").and(not(ENTRY_WITH_FIXED_NAME)));

  /** Therefore they are in no circle between classes. */
  @ArchTest
  static final ArchRule typesWithFixedNamesUseNothingOfTheSimulator =
      noClasses()
          .that(TYPES_WITH_FIXED_NAMES)
          .should()
          .dependOnClassesThat(resideInAPackage("corfu.sim..").and(not(TYPES_WITH_FIXED_NAMES)));

  @ArchTest
  static final ArchRule theNetworkLibraryStaysInItsRoom =
      noClasses()
          .that()
          .resideOutsideOfPackages("corfu.transport..", "corfu.nbd..", "corfu.bench..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.netty..");
}
