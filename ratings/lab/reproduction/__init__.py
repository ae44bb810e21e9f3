"""The Elo-MMR paper's experiments, repeated with every system of this library.

Source: A. Ebtekar and P. Liu, "Elo-MMR: A Rating System for Massive Multiplayer Competitions",
2021. Tables 2 and 3 on the synthetic sets, figure 2's attack and figure 3's group sizes, each as a
``Part``: a text for the terminal and plots for the documentation.
"""
