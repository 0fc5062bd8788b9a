import BAApps
import BAPackCore

extension Rule {
  /// All rules, area by area: those of BAPackCore and of this module.
  package static let known =
    all + depotRules + propertyListRules + appInfoRules + onDemandRules
}
