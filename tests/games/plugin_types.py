"""Checks by mypy, which runs nothing of it, that the modules of our games fit the protocols.

A module that lacks a name, or has it with another type, makes `make test` fail.
"""

from __future__ import annotations

from clauseboard.games.checkers import board_features as checkers_board_features
from clauseboard.games.checkers import compiled_rules as checkers_compiled_rules
from clauseboard.games.checkers import concepts as checkers_concepts
from clauseboard.games.checkers import datasets as checkers_datasets
from clauseboard.games.checkers import drawing as checkers_drawing
from clauseboard.games.checkers import encoding as checkers_encoding
from clauseboard.games.checkers import endgames as checkers_endgames
from clauseboard.games.checkers import gtp as checkers_gtp
from clauseboard.games.checkers import line_facts as checkers_line_facts
from clauseboard.games.checkers import notation as checkers_notation
from clauseboard.games.checkers import records as checkers_records
from clauseboard.games.checkers import selfplay as checkers_selfplay
from clauseboard.games.checkers import solving as checkers_solving
from clauseboard.games.checkers import vocabulary as checkers_vocabulary
from clauseboard.games.checkers.rules import Checkers, CheckersMove, CheckersPosition
from clauseboard.games.go import compiled_rules as go_compiled_rules
from clauseboard.games.go import concepts as go_concepts
from clauseboard.games.go import datasets as go_datasets
from clauseboard.games.go import drawing as go_drawing
from clauseboard.games.go import encoding as go_encoding
from clauseboard.games.go import gtp as go_gtp
from clauseboard.games.go import line_facts as go_line_facts
from clauseboard.games.go import move_features as go_move_features
from clauseboard.games.go import notation as go_notation
from clauseboard.games.go import records as go_records
from clauseboard.games.go import selfplay as go_selfplay
from clauseboard.games.go import shape_playouts as go_shape_playouts
from clauseboard.games.go import territory as go_territory
from clauseboard.games.go import vocabulary as go_vocabulary
from clauseboard.games.go.rules import Go, GoMove, GoPosition
from clauseboard.games.hex import compiled_rules as hex_compiled_rules
from clauseboard.games.hex import datasets as hex_datasets
from clauseboard.games.hex import drawing as hex_drawing
from clauseboard.games.hex import encoding as hex_encoding
from clauseboard.games.hex import gtp as hex_gtp
from clauseboard.games.hex import line_facts as hex_line_facts
from clauseboard.games.hex import move_features as hex_move_features
from clauseboard.games.hex import notation as hex_notation
from clauseboard.games.hex import records as hex_records
from clauseboard.games.hex import selfplay as hex_selfplay
from clauseboard.games.hex import solving as hex_solving
from clauseboard.games.hex import vocabulary as hex_vocabulary
from clauseboard.games.hex.rules import Hex, HexMove, HexPosition, Swap
from clauseboard.games.plugins import (
    BitsPlugin,
    BoardInputPlugin,
    CompiledRulesPlugin,
    ConceptsPlugin,
    CountingPlugin,
    DatasetsPlugin,
    DrawingPlugin,
    EncodingPlugin,
    EndgamesPlugin,
    FeaturesPlugin,
    GtpPlugin,
    GtpSwapPlugin,
    LineFactsPlugin,
    MaterialPlugin,
    MoveFeaturesPlugin,
    NotationPlugin,
    OpeningsPlugin,
    OpenSpielPlugin,
    PagePlugin,
    RandomGamesPlugin,
    RecordsPlugin,
    SelfplayPlugin,
    ShapePlayoutsPlugin,
    SolvingPlugin,
    SymmetriesPlugin,
    TerritoryPlugin,
    VocabularyPlugin,
)

checkers_notation_plugin: NotationPlugin[Checkers, CheckersPosition, CheckersMove] = (
    checkers_notation
)
checkers_drawing_plugin: DrawingPlugin[Checkers, CheckersPosition] = checkers_drawing
checkers_bits_plugin: BitsPlugin[Checkers, CheckersPosition] = checkers_encoding
checkers_encoding_plugin: EncodingPlugin[Checkers] = checkers_encoding
checkers_vocabulary_plugin: VocabularyPlugin[Checkers] = checkers_vocabulary
checkers_records_plugin: RecordsPlugin[Checkers, CheckersPosition, CheckersMove] = checkers_records
checkers_endgames_plugin: EndgamesPlugin[Checkers, CheckersPosition] = checkers_endgames
checkers_solving_plugin: SolvingPlugin[Checkers, CheckersPosition, CheckersMove] = checkers_solving
checkers_compiled_rules_plugin: CompiledRulesPlugin[Checkers, CheckersPosition, CheckersMove] = (
    checkers_compiled_rules
)
checkers_features_plugin: FeaturesPlugin = checkers_board_features
checkers_material_plugin: MaterialPlugin = checkers_board_features
checkers_datasets_plugin: DatasetsPlugin = checkers_datasets
checkers_concepts_plugin: ConceptsPlugin[CheckersPosition] = checkers_concepts
checkers_selfplay_plugin: SelfplayPlugin[Checkers] = checkers_selfplay
checkers_openings_plugin: OpeningsPlugin[Checkers] = checkers_selfplay
checkers_random_games_plugin: RandomGamesPlugin[CheckersPosition] = checkers_selfplay
checkers_board_input_plugin: BoardInputPlugin[CheckersPosition, CheckersMove] = checkers_notation
checkers_page_plugin: PagePlugin[Checkers, CheckersPosition, CheckersMove] = checkers_vocabulary
checkers_line_facts_plugin: LineFactsPlugin[CheckersPosition, CheckersMove] = checkers_line_facts
checkers_gtp_plugin: GtpPlugin[Checkers, CheckersPosition, CheckersMove] = checkers_gtp
checkers_openspiel_plugin: OpenSpielPlugin[Checkers, CheckersPosition, CheckersMove] = checkers_gtp
go_notation_plugin: NotationPlugin[Go, GoPosition, GoMove] = go_notation
go_drawing_plugin: DrawingPlugin[Go, GoPosition] = go_drawing
go_bits_plugin: BitsPlugin[Go, GoPosition] = go_encoding
go_encoding_plugin: EncodingPlugin[Go] = go_encoding
go_symmetries_plugin: SymmetriesPlugin[Go] = go_encoding
go_vocabulary_plugin: VocabularyPlugin[Go] = go_vocabulary
go_records_plugin: RecordsPlugin[Go, GoPosition, GoMove] = go_records
go_compiled_rules_plugin: CompiledRulesPlugin[Go, GoPosition, GoMove] = go_compiled_rules
go_move_features_plugin: MoveFeaturesPlugin = go_move_features
go_shape_playouts_plugin: ShapePlayoutsPlugin = go_shape_playouts
go_datasets_plugin: DatasetsPlugin = go_datasets
go_selfplay_plugin: SelfplayPlugin[Go] = go_selfplay
go_page_plugin: PagePlugin[Go, GoPosition, GoMove] = go_vocabulary
go_counting_plugin: CountingPlugin[GoPosition] = go_vocabulary
go_line_facts_plugin: LineFactsPlugin[GoPosition, GoMove] = go_line_facts
go_concepts_plugin: ConceptsPlugin[GoPosition] = go_concepts
go_territory_plugin: TerritoryPlugin[Go, GoPosition] = go_territory
go_gtp_plugin: GtpPlugin[Go, GoPosition, GoMove] = go_gtp
go_openspiel_plugin: OpenSpielPlugin[Go, GoPosition, GoMove] = go_gtp
hex_notation_plugin: NotationPlugin[Hex, HexPosition, HexMove | Swap] = hex_notation
hex_drawing_plugin: DrawingPlugin[Hex, HexPosition] = hex_drawing
hex_bits_plugin: BitsPlugin[Hex, HexPosition] = hex_encoding
hex_encoding_plugin: EncodingPlugin[Hex] = hex_encoding
hex_symmetries_plugin: SymmetriesPlugin[Hex] = hex_encoding
hex_vocabulary_plugin: VocabularyPlugin[Hex] = hex_vocabulary
hex_records_plugin: RecordsPlugin[Hex, HexPosition, HexMove | Swap] = hex_records
hex_solving_plugin: SolvingPlugin[Hex, HexPosition, HexMove | Swap] = hex_solving
hex_compiled_rules_plugin: CompiledRulesPlugin[Hex, HexPosition, HexMove | Swap] = (
    hex_compiled_rules
)
hex_move_features_plugin: MoveFeaturesPlugin = hex_move_features
hex_datasets_plugin: DatasetsPlugin = hex_datasets
hex_selfplay_plugin: SelfplayPlugin[Hex] = hex_selfplay
hex_openings_plugin: OpeningsPlugin[Hex] = hex_selfplay
hex_page_plugin: PagePlugin[Hex, HexPosition, HexMove | Swap] = hex_vocabulary
hex_line_facts_plugin: LineFactsPlugin[HexPosition, HexMove | Swap] = hex_line_facts
hex_gtp_plugin: GtpPlugin[Hex, HexPosition, HexMove | Swap] = hex_gtp
hex_gtp_swap_plugin: GtpSwapPlugin[HexPosition, HexMove | Swap] = hex_gtp
hex_openspiel_plugin: OpenSpielPlugin[Hex, HexPosition, HexMove | Swap] = hex_gtp
